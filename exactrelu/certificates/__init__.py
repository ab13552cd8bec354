"""What every answer looks like: verdicts, certificates, canonical documents; knows no network."""
