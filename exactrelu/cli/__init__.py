"""The command line: reads options and files, calls one function a verb, prints; decides nothing itself."""
