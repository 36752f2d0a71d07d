"""The files in deploy/ name only settings, metrics and files that exist."""

from __future__ import annotations

import asyncio
import importlib.util
import json
import re
import runpy
import socket
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import kubernetes_validate
import pytest
import yaml
from prometheus_client.parser import text_string_to_metric_families

from bot.operations.health import HealthServer
from bot.operations.metrics import BotStatus, Meters
from bot.operations.process_lifetime import STOP, STOP_WITHIN
from bot.settings.config import SECRETS, load, variables
from bot.settings.shards import choose_shards
from tests.image.building import (
    NotTried,
    base_image,
    check_tools,
    find_compilers,
    measure,
    wrong_config,
)
from tests.image.contained import environment, specification

ROOT = Path(__file__).parents[1]
DEPLOY = ROOT / "deploy"
DOCKERFILE = ROOT / "Dockerfile"
FILES = [DOCKERFILE, *sorted(file for file in DEPLOY.rglob("*.*") if file.suffix != ".pyc")]
KUSTOMIZATION = DEPLOY / "kubernetes" / "kustomization.yaml"
MANIFESTS = sorted({*(DEPLOY / "kubernetes").glob("*.yaml")} - {KUSTOMIZATION})
KUBERNETES = ("1.29.0", kubernetes_validate.latest_version())  # an old one in use, and the newest
DOCUMENT = ROOT / "docs" / "watching.md"
PAGES = sorted((ROOT / "docs").glob("*.md"))
SCRIPTS = sorted((ROOT / "benchmarks").rglob("*.py"))


def metric_names() -> set[str]:
    """Return every name that `/metrics` serves."""
    meters = Meters()
    meters.standing = lambda: BotStatus({"playing": 1}, 2, {0: 0.04})
    meters.note_request("GET", "/gateway", 200)
    return {
        sample.name
        for family in text_string_to_metric_families(meters.text().decode())
        for sample in family.samples
    }


@pytest.mark.parametrize("file", [*FILES, *PAGES, *SCRIPTS], ids=lambda file: file.name)
def test_every_variable_is_one_that_is_read(file: Path) -> None:
    known = {
        *variables(),
        *(name for pair in SECRETS.values() for name in pair),
        "BLUFFHOUSE_CONFIG",
    }
    known |= {name.partition("__")[0] for name in variables()}  # a section, as JSON
    named = set(re.findall(r"\b(?:BLUFFHOUSE|DISCORD)_[A-Z_]+", file.read_text(encoding="utf-8")))
    assert named <= known


@pytest.mark.parametrize("file", [*FILES, DOCUMENT], ids=lambda file: file.name)
def test_every_metric_is_one_that_is_served(file: Path) -> None:
    named = set(re.findall(r"\bbluffhouse_[a-z_]+\b", file.read_text(encoding="utf-8")))
    names = metric_names()
    families = {name.removesuffix("_bucket").removesuffix("_count") for name in names}
    assert named <= names | families


def test_every_query_is_of_series_that_are_served() -> None:
    """Queries of the dashboard and the alerts name only served metrics and known labels."""
    queries = re.findall(r'"expr": "((?:[^"\\]|\\.)*)"', (DEPLOY / "grafana.json").read_text())
    rules = yaml.safe_load((DEPLOY / "alerts.yaml").read_text())
    queries += [rule["expr"] for group in rules["groups"] for rule in group["rules"]]
    assert len(queries) > 15
    for query in queries:
        bare = re.sub(r'"[^"]*"', "", query.replace('\\"', '"'))
        series = re.findall(r"\b(?:bluffhouse|process|python)_[a-z_]+", bare)
        assert series or "up{" in bare, query
        assert {*series} <= metric_names(), query
        labels = re.findall(r"(\w+)=", bare) + re.findall(r"by \((\w+)\)", bare)
        assert {*labels} <= {"job", "le", "result", "status", "code", "shard"}, query


def test_the_dashboard_shows_every_metric_of_ours() -> None:
    dashboard = (DEPLOY / "grafana.json").read_text(encoding="utf-8")
    json.loads(dashboard)
    ours = {re.sub(r"_(bucket|count|sum|total|created)$", "", name) for name in metric_names()}
    elsewhere = {"backups", "build_info", "discord_requests", "last_backup_timestamp_seconds"}
    expected = {name for name in ours if name.startswith("bluffhouse_")} - {
        f"bluffhouse_{name}" for name in elsewhere
    }
    assert len(expected) > 8
    assert [name for name in sorted(expected) if name not in dashboard] == []


@pytest.mark.parametrize(
    "line",
    [
        "Restart=on-failure",
        "RestartPreventExitStatus=78",  # starting again doesn't help
        # else systemd stops the whole unit when the kernel kills the process that counts
        "OOMPolicy=continue",
        # without it, numpy's import ended the process that counts, by SIGSYS
        "SystemCallErrorNumber=EPERM",
        r"SystemCallFilter=[a-z_ ]*\bmbind\b.*",
    ],
)
def test_the_unit_goes_on_after_whatever_it_can_go_on_after(line: str) -> None:
    assert re.search(f"^{line}$", (DEPLOY / "bluffhouse.service").read_text(), re.MULTILINE)


def test_a_container_is_there_again_after_the_machine_was_restarted() -> None:
    """Compose and `docker run` start the bot even after an exit with 0, unless it was stopped."""
    compose = yaml.safe_load((DEPLOY / "compose.yaml").read_text(encoding="utf-8"))
    assert compose["services"]["bluffhouse"]["restart"] == "unless-stopped"
    for file in (DOCKERFILE, ROOT / "docs" / "hosting.md"):
        policies = re.findall(r"docker run -d .*--restart (\S+)", file.read_text(encoding="utf-8"))
        assert policies == ["unless-stopped"], file


def test_a_gateway_that_is_lost_is_an_alert_of_its_own() -> None:
    """The alert for a lost gateway has its own metric, since lost shards report no latency."""
    rules = yaml.safe_load((DEPLOY / "alerts.yaml").read_text(encoding="utf-8"))
    (alert,) = (
        rule
        for group in rules["groups"]
        for rule in group["rules"]
        if rule["alert"] == "BluffhouseNoGateway"
    )
    assert "bluffhouse_gateway_lost_seconds" in alert["expr"]


def test_a_stop_is_over_before_whoever_supervises_the_process_kills_it() -> None:
    unit = (DEPLOY / "bluffhouse.service").read_text(encoding="utf-8")
    compose = yaml.safe_load((DEPLOY / "compose.yaml").read_text(encoding="utf-8"))
    graces = {
        "systemd": float(re.findall(r"^TimeoutStopSec=(\d+)$", unit, re.MULTILINE)[0]),
        "compose": float(compose["services"]["bluffhouse"]["stop_grace_period"].removesuffix("s")),
        "kubernetes": deployment()["spec"]["template"]["spec"]["terminationGracePeriodSeconds"],
        "docker stop": 10.0,
    }
    assert STOP.whole < STOP_WITHIN < 8.0  # as docs/hosting.md and the files above say
    assert {name for name, grace in graces.items() if grace < STOP_WITHIN + 2.0} == set()
    assert "takes less than eight seconds" in (ROOT / "docs/hosting.md").read_text()


def manifests(file: Path) -> list[dict[str, Any]]:
    return [
        manifest for manifest in yaml.safe_load_all(file.read_text(encoding="utf-8")) if manifest
    ]


def deployment() -> dict[str, Any]:
    (found_deployment,) = (
        manifest
        for manifest in manifests(DEPLOY / "kubernetes" / "process.yaml")
        if manifest["kind"] == "Deployment"
    )
    return found_deployment


def pods() -> list[tuple[str, dict[str, Any]]]:
    """Return (object's name, pod's specification) of each object with a pod template."""
    return [
        (manifest["metadata"]["name"], manifest["spec"]["template"]["spec"])
        for file in MANIFESTS
        for manifest in manifests(file)
        if "template" in manifest.get("spec", {})
    ]


@pytest.mark.parametrize("version", KUBERNETES)
@pytest.mark.parametrize("file", MANIFESTS, ids=lambda file: file.name)
def test_every_manifest_is_what_kubernetes_takes(file: Path, version: str) -> None:
    assert manifests(file)
    for manifest in manifests(file):
        kubernetes_validate.validate(manifest, version, strict=True)


@pytest.mark.parametrize(("name", "pod"), pods(), ids=[name for name, _ in pods()])
def test_every_pod_runs_without_rights_on_a_read_only_root(name: str, pod: dict[str, Any]) -> None:
    assert pod["securityContext"]["runAsNonRoot"] is True
    assert pod["automountServiceAccountToken"] is False
    mounts = {volume["name"] for volume in pod.get("volumes", [])}
    for container in pod["containers"]:
        assert container["securityContext"] == {
            "allowPrivilegeEscalation": False,
            "readOnlyRootFilesystem": True,
            "capabilities": {"drop": ["ALL"]},
        }
        assert {mount["name"] for mount in container.get("volumeMounts", [])} == mounts


def test_the_settings_of_a_pod_are_taken(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    pod = deployment()["spec"]["template"]["spec"]
    secrets = {
        "token": "token",
        "database-url": manifests(DEPLOY / "kubernetes" / "secret.example.yaml")[0]["stringData"][
            "database-url"
        ],
    }
    (container,) = pod["containers"]
    for variable in container["env"]:
        value = variable["value"]
        if variable["name"].endswith("_FILE"):
            value = tmp_path / Path(value).name
            value.write_text(secrets[value.name])
        monkeypatch.setenv(variable["name"], str(value))
    settings = load()
    assert settings.discord.token is not None
    assert settings.database.address.startswith("postgresql://")
    assert settings.serving.port == container["ports"][0]["containerPort"]
    for probe in ("startupProbe", "livenessProbe", "readinessProbe"):
        assert container[probe]["httpGet"]["port"] == container["ports"][0]["name"]


def test_in_an_update_a_pod_is_there_before_the_one_that_it_succeeds_ends() -> None:
    spec = deployment()["spec"]
    assert spec["replicas"] == 1  # each has its own shards, by its host name
    assert spec["strategy"]["rollingUpdate"] == {"maxSurge": 1, "maxUnavailable": 0}
    pod = spec["template"]["spec"]
    variables = {variable["name"]: variable["value"] for variable in pod["containers"][0]["env"]}
    count, each = (
        int(variables[f"BLUFFHOUSE_SHARDS__{name}"]) for name in ("COUNT", "FROM_ORDINAL")
    )
    assert choose_shards(count, (), each, pod["hostname"]).ids == tuple(range(each))


def test_the_image_is_of_a_full_tag_and_no_user_of_the_host() -> None:
    lines = DOCKERFILE.read_text(encoding="utf-8").splitlines()
    assert base_image()[0].startswith("docker.io/library/debian:")
    assert {line.split()[1] for line in lines if line.startswith("FROM ")} == {
        base_image()[0].rpartition("/")[2],
        "base",
    }
    assert "USER 10001:10001" in lines
    assert any(line.startswith("HEALTHCHECK ") for line in lines)


def test_what_the_image_copies_is_sent_to_the_builder() -> None:
    sent = (ROOT / ".dockerignore").read_text(encoding="utf-8").splitlines()
    copied = re.findall(
        r"^COPY (?:--chmod=\d+ )?(.+) \S+$", DOCKERFILE.read_text(encoding="utf-8"), re.MULTILINE
    )
    named = [
        name for line in copied for name in line.split() if not name.startswith(("--", "/", "$"))
    ]
    assert "bot" in named
    assert [
        name
        for name in named
        if not (ROOT / name).exists() or not {f"!{name}", f"!{Path(name).parent}"} & {*sent}
    ] == []


def script(name: str) -> ModuleType:
    """Load a script of the image as a module."""
    spec = importlib.util.spec_from_file_location(name, DEPLOY / "image" / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize(("wrong", "code"), [(None, 0), ("no session yet", 1)])
async def test_the_health_check_says_what_readyz_says(wrong: str | None, code: int) -> None:
    async def look() -> str | None:
        return wrong

    server = HealthServer("127.0.0.1", 0, Meters(), {"discord": look})
    await server.start()
    try:
        ended, answer = await run_health_check(server.address.rpartition(":")[2])
    finally:
        await server.stop()
    assert ended == code
    assert json.loads(answer)["wrong"] == ({"discord": wrong} if wrong else {})


async def test_the_health_check_of_a_bot_that_is_not_there_fails_in_one_line() -> None:
    with socket.socket() as nobody:
        nobody.bind(("127.0.0.1", 0))
        ended, answer = await run_health_check(str(nobody.getsockname()[1]))
    assert ended == 1
    assert answer.startswith("/readyz does not answer: ")
    assert len(answer.splitlines()) == 1


async def test_where_nothing_is_served_the_health_check_asks_nobody() -> None:
    assert await run_health_check("0") == (0, "")


async def run_health_check(port: str) -> tuple[int | None, str]:
    """Run the image's health check; return its exit code and output."""
    check = await asyncio.create_subprocess_exec(
        sys.executable,
        *("-ISE", str(DEPLOY / "image" / "ready.py")),
        env={"BLUFFHOUSE_SERVING__PORT": port},
        stdout=asyncio.subprocess.PIPE,
    )
    output, _ = await check.communicate()
    return check.returncode, output.decode()


def test_the_image_is_tried_with_what_its_dockerfile_sets_and_no_right(tmp_path: Path) -> None:
    image_variables = environment()
    assert image_variables["PATH"].startswith("/opt/bluffhouse/bin:/usr/local/bin:")
    ours = {name for name in image_variables if name.startswith("BLUFFHOUSE_")}
    assert {"BLUFFHOUSE_DATABASE__PATH", "BLUFFHOUSE_SERVING__PORT"} <= ours <= {*variables()}
    tried = specification(tmp_path, tmp_path, ["run"], {"BLUFFHOUSE_SERVING__PORT": "1"})
    assert "BLUFFHOUSE_SERVING__PORT=1" in tried["process"]["env"]
    assert tried["root"]["readonly"] is True
    assert tried["process"]["user"] == {"uid": 10001, "gid": 10001}
    assert not any(tried["process"]["capabilities"].values())


def config(**changes: Any) -> dict[str, Any]:
    """Return a correct image's configuration as buildah shows it, with `changes`."""
    command = ["CMD", "/opt/bluffhouse/bin/python", "-ISE", "/usr/local/bin/ready.py"]
    whole = {
        "User": "10001:10001",
        "Healthcheck": {"Test": command},
        "Entrypoint": ["entrypoint.sh"],
        "Cmd": ["run"],
        "Env": [f"{name}={value}" for name, value in environment().items()],
    }
    return whole | changes


@pytest.mark.parametrize(
    ("changes", "complaint"),
    [
        ({"User": ""}, "its user is ''"),
        ({"Healthcheck": None}, "--format docker"),  # an image in OCI's format has none
        ({"Entrypoint": None}, "it starts None"),
        ({"Volumes": {"/data": {}}}, "which Railway refuses"),
        ({"Env": ["PATH=/bin"]}, "its variables are {}"),
    ],
)
def test_a_wrongly_built_image_is_complained_of(changes: dict[str, Any], complaint: str) -> None:
    assert wrong_config(config()) == []
    (sentence,) = wrong_config(config(**changes))
    assert complaint in sentence


def test_compilers_and_installers_in_an_image_are_found_and_its_bytes_are_counted(
    tmp_path: Path,
) -> None:
    programs = ("x86_64-linux-gnu-gcc-12", "cc", "pip3.11", "make", "ld")
    for name in (*programs, "python3.11", "ldd", "ld.so", "gccxml", "passwd"):
        file = tmp_path / "usr" / "bin" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(b"1234")
    (tmp_path / "usr/bin/again").hardlink_to(tmp_path / "usr/bin/cc")
    assert find_compilers(tmp_path) == sorted(f"usr/bin/{name}" for name in programs)
    assert measure(tmp_path) == 10 * 4


def test_whoever_cannot_build_the_image_is_told_what_is_missing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("os.geteuid", lambda: 1000)
    with pytest.raises(NotTried, match="Example: sudo make image"):
        check_tools()
    monkeypatch.setattr("os.geteuid", lambda: 0)
    monkeypatch.setenv("PATH", "")
    with pytest.raises(NotTried, match="buildah and runc or crun not found"):
        check_tools()


def test_an_environment_is_made_small_and_keeps_what_is_read(tmp_path: Path) -> None:
    packages = tmp_path / "lib" / "python3.11" / "site-packages"
    needed = [
        "bluffhouse/bot/locales/pl/bids.toml",
        "bluffhouse/bot/app.py",
        "bluffhouse/engine/odds/__init__.pyi",
        "babel/locale-data/pl.dat",
        "babel/locale-data/root.dat",
        "alembic/template.mako",
    ]
    gone = [
        "babel/locale-data/de.dat",
        "numpy/tests/test_all.py",
        "numpy/include/array.h",
        "pip/__init__.py",
        "PIL/_avif.cpython-311.so",
        "discord/bin/libopus.dll",
        "rich/__pycache__/old.pyc",
    ]
    for name in [*needed, *gone, "rich/text.py", "numba/core.py", "six.py", "babel/__init__.py"]:
        (packages / name).parent.mkdir(parents=True, exist_ok=True)
        (packages / name).write_text("x = 1\n" if name.endswith(".py") else "")
    (packages / "rich" / "text.py").write_text('"""It explains."""\nx = 1\n')
    (tmp_path / "bin").mkdir()
    script("slim").main(tmp_path)
    assert [name for name in needed if not (packages / name).exists()] == []
    assert [name for name in gone if (packages / name).exists()] == []
    documented = packages / "rich" / "text.pyc"
    assert b"explains" not in documented.read_bytes()
    ran = runpy.run_path(str(documented))
    assert (ran["x"], ran["__doc__"]) == (1, "")
    for name in ("rich/text", "numba/core", "six", "babel/__init__"):
        assert not (packages / f"{name}.py").exists()
        assert (packages / f"{name}.pyc").is_file()
    assert [*(packages / "bluffhouse" / "bot" / "__pycache__").glob("app.*.pyc")] != []


def test_every_folder_of_code_is_a_package_so_that_it_is_installed() -> None:
    folders = {
        file.parent
        for room in ("bot", "engine", "migrations")
        for file in (ROOT / room).rglob("*.py")
    }
    assert [str(folder) for folder in folders if not (folder / "__init__.py").exists()] == []
