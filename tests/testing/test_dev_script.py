"""`./dev` in every situation that a fresh machine may be in, played with pretended tools: nothing is installed here."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
TOOLS = ("sh", "dirname", "basename", "cat", "cksum", "mktemp", "rm", "grep", "tail", "mkdir", "cp", "chmod", "touch")

pytestmark = pytest.mark.skipif(os.name == "nt" or not (ROOT / "dev").exists(), reason="needs a POSIX shell and the checkout")

PYTHON = """#!/bin/sh
case "$*" in
    *version_info*) exit 0 ;;
    *sysconfig*) echo /include ;;
    *"-m venv"*) echo venv >>"$PLAYED"; mkdir -p .venv/bin; cp "$0" .venv/bin/python ;;
    *"import pip, sys"*) echo "$(pwd -P)/.venv" ;;
    *"-m pip install"*)
        echo "pip $*" >>"$PLAYED"
        if [ -n "$PIP_SAYS" ]; then echo "$PIP_SAYS"; exit 1; fi ;;
    *"-m pytest"*) echo "pytest ran with: $*" ;;
esac
"""
COMPILER = '#!/bin/sh\n[ -e "$PLAYED.header" ]\n'
APT = """#!/bin/sh
echo "apt-get $*" >>"$PLAYED"
case "$*" in *"$APT_BRINGS"*) touch "$PLAYED.header" ;; esac
"""


class Machine:
    """A folder with a checkout in it (a space in its name), and a PATH of pretended tools."""

    def __init__(self, folder: Path) -> None:
        self.checkout = folder / "a checkout"
        self.path = folder / "bin"
        self.log = folder / "played"
        self.checkout.mkdir()
        self.path.mkdir()
        for name in ("dev", "pyproject.toml", "constraints.txt"):
            shutil.copy(ROOT / name, self.checkout / name)
        for tool in TOOLS:
            real = shutil.which(tool)
            assert real, tool
            (self.path / tool).symlink_to(real)
        for tool, text in (("uname", "#!/bin/sh\necho Linux\n"), ("id", "#!/bin/sh\necho 1000\n"), ("python3", PYTHON), ("cc", COMPILER)):
            self.tool(tool, text)

    def tool(self, name: str, text: str) -> None:
        file = self.path / name
        file.write_text(text)
        file.chmod(0o755)

    def header(self) -> None:
        Path(f"{self.log}.header").touch()

    @property
    def played(self) -> list[str]:
        return self.log.read_text().splitlines() if self.log.exists() else []

    def run(self, *words: str, cwd: Path | None = None, **more: str) -> subprocess.CompletedProcess[str]:
        environment = {"PATH": str(self.path), "PLAYED": str(self.log), "PIP_SAYS": "", "APT_BRINGS": "libcdd-dev", **more}
        return subprocess.run([str(self.checkout / "dev"), *words], cwd=cwd or self.checkout.parent, env=environment,
                              capture_output=True, text=True, check=False)


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return Machine(tmp_path)


def test_first_use_installs_and_later_uses_do_not(machine: Machine) -> None:
    machine.header()
    done = machine.run("test", "-q", "tests/a b.py")
    assert done.returncode == 0 and done.stdout == "pytest ran with: -m pytest -q tests/a b.py\n"
    assert machine.played[0] == "venv" and "-e .[test,dev] -c constraints.txt" in machine.played[1]
    assert machine.run("test").returncode == 0 and len(machine.played) == 2


@pytest.mark.parametrize("file", ["pyproject.toml", "constraints.txt"])
def test_a_changed_file_installs_again_into_the_same_environment(machine: Machine, file: str) -> None:
    machine.header()
    machine.run("test")
    with (machine.checkout / file).open("a") as stream:
        stream.write("# changed\n")
    assert machine.run("test").returncode == 0
    assert [word.split()[0] for word in machine.played] == ["venv", "pip", "pip"]


def test_a_half_made_environment_is_made_anew(machine: Machine) -> None:
    machine.header()
    (machine.checkout / ".venv" / "bin").mkdir(parents=True)
    assert machine.run("test").returncode == 0 and machine.played[0] == "venv"


def test_an_environment_without_finished_installation_is_finished(machine: Machine) -> None:
    machine.header()
    assert machine.run("test", PIP_SAYS="disk full").returncode == 2
    assert machine.run("test").returncode == 0
    assert [word.split()[0] for word in machine.played] == ["venv", "pip", "pip"]


def test_no_network_is_said(machine: Machine) -> None:
    machine.header()
    done = machine.run("test", PIP_SAYS="ERROR: Could not find a version that satisfies the requirement")
    assert done.returncode == 2 and "needs a network" in done.stderr and "Could not find a version" in done.stderr


def test_no_python_is_said(machine: Machine) -> None:
    (machine.path / "python3").unlink()
    done = machine.run("test")
    assert done.returncode == 2 and "no Python >= 3.11" in done.stderr


def test_the_interpreter_can_be_chosen(machine: Machine) -> None:
    machine.header()
    (machine.path / "python3").rename(machine.path / "my python")
    assert machine.run("test", PYTHON=str(machine.path / "my python")).returncode == 0


@pytest.mark.parametrize("system, manager, cure", [
    ("Linux", "apt-get", "sudo apt-get update && sudo apt-get install -y gcc libc6-dev python3-dev python3-venv libcdd-dev"),
    ("Linux", "dnf", "sudo dnf install -y gcc python3-devel cddlib-devel gmp-devel"),
    ("Linux", "", "install a C compiler"), ("Darwin", "", "brew install cddlib gmp")])
def test_a_missing_header_gives_one_command(machine: Machine, system: str, manager: str, cure: str) -> None:
    machine.tool("uname", f"#!/bin/sh\necho {system}\n")
    if manager:
        machine.tool(manager, APT)
    done = machine.run("test")
    assert done.returncode == 2 and cure in done.stderr and machine.played == []


def test_no_compiler_is_the_same_as_no_header(machine: Machine) -> None:
    (machine.path / "cc").unlink()
    done = machine.run("test")
    assert done.returncode == 2 and "install a C compiler" in done.stderr


def test_root_with_apt_gets_the_header(machine: Machine) -> None:
    machine.tool("id", "#!/bin/sh\necho 0\n")
    machine.tool("apt-get", APT)
    assert machine.run("test").returncode == 0
    assert machine.played[:3] == ["apt-get update", "apt-get install -y libcdd-dev", "venv"]


def test_root_with_apt_gets_the_compiler_too(machine: Machine) -> None:
    machine.tool("id", "#!/bin/sh\necho 0\n")
    machine.tool("apt-get", APT)
    assert machine.run("test", APT_BRINGS="gcc").returncode == 0
    assert "gcc" in machine.played[2] and machine.played[3] == "venv"


def test_root_without_success_gets_the_command(machine: Machine) -> None:
    machine.tool("id", "#!/bin/sh\necho 0\n")
    machine.tool("apt-get", APT)
    done = machine.run("test", APT_BRINGS="nothing")
    assert done.returncode == 2 and "libcdd-dev" in done.stderr.splitlines()[-1]


def test_macos_finds_what_brew_installed(machine: Machine) -> None:
    machine.tool("uname", "#!/bin/sh\necho Darwin\n")
    machine.tool("brew", "#!/bin/sh\necho /opt/brew\n")
    machine.tool("cc", '#!/bin/sh\ncase "$*" in *-I/opt/brew/include*) exit 0 ;; esac\nexit 1\n')
    assert machine.run("test").returncode == 0


def test_windows_compiles_nothing(machine: Machine) -> None:
    machine.tool("uname", "#!/bin/sh\necho MINGW64_NT-10.0\n")
    assert machine.run("test").returncode == 0


def test_a_file_in_the_way_is_left_alone(machine: Machine) -> None:
    machine.header()
    (machine.checkout / ".venv").write_text("mine")
    done = machine.run("test")
    assert done.returncode == 2 and "not a folder" in done.stderr and (machine.checkout / ".venv").read_text() == "mine"


def test_help_and_unknown_verbs_install_nothing(machine: Machine) -> None:
    assert "usage" in machine.run("help").stdout and "usage" in machine.run().stdout
    done = machine.run("dance")
    assert done.returncode == 2 and "unknown verb dance" in done.stderr and machine.played == []


def test_the_verbs_of_the_help_exist(machine: Machine) -> None:
    machine.header()
    listed = [line.split()[0] for line in machine.run("help").stdout.splitlines() if line.startswith("  ") and line[2] != " "]
    assert set(listed) == {"demo", "test", "slow", "lint", "types", "cov", "bench", "pins", "help"}
