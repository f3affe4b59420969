"""Compares the target `regression` and `hierarchical-normal` with packs of references, by the program itself.

    python3 tests/regressions.py PROGRAM FOLDER [--nuts] [NAME …]

FOLDER has a folder for each posterior, with data.csv, spec.json (response, predictors, intercept, trials, priors) and reference.json
(`parameters` with `exact`, or `mean` and `sd` of weighted draws; `log_normaliser`), and perhaps _variants/variants.json. Every posterior
becomes a scenario, is run, and the truth in summary.json is compared: to a millionth of a standard deviation where it is exact, to a
hundredth where both sides are weighted draws. With --nuts so are the draws: means and standard deviations within four Monte Carlo errors,
unless more than one transition in a thousand diverges.
Needs only Python.
"""

import json
import math
import pathlib
import subprocess
import sys
import tempfile

EXACT, WEIGHTED = 2e-6, 1e-2
MOST_DIVERGENT = 1e-3
MOST_ERRORS = 4.0
SIGMA = {"inverse-gamma-variance": "inverse-gamma"}


def prior(spec):
    """A prior as a TOML table: `location` is the mean here."""
    values = {{"location": "mean"}.get(key, key): value for key, value in spec.items() if key != "kind"}
    kind = SIGMA.get(spec["kind"], spec["kind"])
    return "{ " + ", ".join([f'kind = "{kind}"'] + [f"{key} = {value!r}" for key, value in values.items()]) + " }"


def name(column):
    """A column in a list of terms."""
    return column if column.replace("_", "a").replace(".", "a").isalnum() and not column[0].isdigit() else f"`{column}`"


def scenario(target, nuts):
    """A scenario of four chains; without NUTS a few steps, for the truth alone."""
    steps, warm_up = (5000, 2000) if nuts else (20, 5)
    run = (
        f'[[run]]\nname = "A"\nmethod = "nuts"\nchains = 4\nsteps = {steps}\nadapt_step_size = true\nmass = "dense"\n'
        f"warm_up = {warm_up}\ncollect = {{ burn_in = {warm_up} }}\n"
        "step_size = { kind = \"constant\", value = 0.01 }\n"
    )
    return f'format = 1\ntitle = "reference"\nseed = 1\n{target}\n{run}'


def regression(spec, data):
    """The table [target] of a specification."""
    terms = (["1"] if spec["intercept"] else []) + [name(column) for column in spec["predictors"]]
    likelihood = spec["likelihood"]
    kind, degrees = (likelihood.rstrip(")").split("(") + [None])[:2]
    fields = [f'kind = "{kind}"']
    if degrees:
        fields.append(f"df = {float(degrees)!r}")
    if "sigma" in spec["priors"]:
        fields.append(f'sigma = {prior(spec["priors"]["sigma"])}')
    if spec.get("trials"):
        fields.append(f'trials = "{name(spec["trials"])}"')
    given = spec["priors"]["coefficients"]
    lines = [
        "[target]",
        'kind = "regression"',
        "standardise = false",
        f"data = {{ kind = \"csv\", path = '{data}' }}",
        f"response = '{name(spec['response'])}'",
        f"terms = '{', '.join(terms)}'",
        "likelihood = { " + ", ".join(fields) + " }",
        f"prior = {prior(given[0])}",
    ]
    if len(given) > 1:
        for term, of in zip(terms, given):
            lines += ["[[target.coefficient]]", f"term = '{term.strip('`')}'", f"prior = {prior(of)}"]
    return "\n".join(lines)


def hierarchy(spec, data):
    centred = spec["parametrisation"].startswith("cent")
    return "\n".join([
        "[target]",
        'kind = "hierarchical-normal"',
        f'parametrisation = "{"centred" if centred else "non-centred"}"',
        f"data = {{ kind = \"csv\", path = '{data}', response = \"{spec['response']}\", sd = \"{spec['known_sd']}\", "
        f"group = \"{spec['group']}\" }}",
        f'mu = {prior(spec["priors"]["mu"])}',
        f'tau = {prior(spec["priors"]["tau"])}',
    ])


def run(program, text, folder):
    path = pathlib.Path(folder, "reference.toml")
    path.write_text(text)
    out = pathlib.Path(folder, "results")
    command = [program, "run", str(path), "--out", str(out), "--quiet"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"{text}\n{done.stdout}{done.stderr}")
    run = json.loads((out / "summary.json").read_text())["runs"][0]
    return run["quantities"] | {"divergences": run["metrics"]["divergences"] or 0, "draws": run["draws"]}


def rows(reference, names):
    """Name, mean, sd and quantiles of every parameter that has them."""
    for parameter in reference["parameters"]:
        values = parameter.get("exact", parameter)
        label = parameter.get("label") or parameter["name"]
        found = names.get(label, label)
        yield found, {key: values[key] for key in ("mean", "sd", "q05", "q50", "q95") if key in values}


def compare(title, quantities, expected, log_normaliser, nuts):
    """Prints a line; returns the number of values that differ."""
    exact = quantities["truth"] == "exact"
    # Draws after many divergent transitions miss a part, as the run itself says: standard errors say nothing of it.
    divergent = nuts and quantities["divergences"] > MOST_DIVERGENT * quantities["draws"] and quantities["divergences"]
    nuts = nuts and not divergent
    tolerance = EXACT if exact else WEIGHTED
    by_name = {entry["name"]: entry for entry in quantities["values"]}
    worst, wrong, errors, fewest = 0.0, [], 0.0, math.inf
    for label, values in expected:
        entry = by_name.get(label)
        if entry is None:
            wrong.append(f"no {label}")
            continue
        for key, value in values.items():
            # Quantiles of weighted references have errors of their own.
            away = abs(entry["truth"][key] - value) / values["sd"]
            worst = max(worst, away)
            if away > tolerance * (1 if exact or key in ("mean", "sd") else 3):
                wrong.append(f"{label} {key}: {entry['truth'][key]} instead of {value}")
        if nuts:
            for key in ("mean", "sd"):
                away = abs(entry["draws"][key] - values[key]) / max(entry[f"mcse_{key}"], 1e-12 * values["sd"])
                errors = max(errors, away)
                if away > MOST_ERRORS:
                    wrong.append(f"{label} {key} of draws: {away:.1f} standard errors")
            fewest = min(fewest, entry["ess_bulk"])
    if log_normaliser is not None:
        away = abs(quantities["log_normaliser"] - log_normaliser)
        if away > (1e-7 * max(abs(log_normaliser), 10.0) if exact else 2e-2):
            wrong.append(f"ln Z: {quantities['log_normaliser']} instead of {log_normaliser}")
    draws = f"; draws within {errors:.1f} errors, ESS {fewest:.0f}" if nuts else ""
    if divergent:
        draws = f"; draws not compared: {divergent:.0f} divergent transitions"
    print(f"{'WRONG' if wrong else 'ok   '} {title}: {quantities['truth']}, {worst:.1e} sd{draws}", flush=True)
    for line in wrong:
        print(f"        {line}")
    return len(wrong)


def pack(program, folder, nuts):
    spec = json.loads((folder / "spec.json").read_text())
    reference = json.loads((folder / "reference.json").read_text())
    data = (folder / "data.csv").resolve()
    names = {}
    if spec["kind"] == "hierarchical-normal":
        target = hierarchy(spec, data)
        schools = [line.split(",")[2].strip() for line in data.read_text().split()[1:]]
        names = {f"theta[{number}]": f"theta[{school}]" for number, school in enumerate(schools, 1)}
    else:
        target = regression(spec, data)
    with tempfile.TemporaryDirectory() as place:
        quantities = run(program, scenario(target, nuts), place)
    return compare(folder.name, quantities, rows(reference, names), reference.get("log_normaliser", reference.get("log_evidence")), nuts)


def variants(program, folder, nuts):
    """Other priors and likelihoods on the first rows of one table."""
    path = folder / "_variants" / "variants.json"
    if not path.exists():
        return 0
    wrong = 0
    described = json.loads(path.read_text())
    source = (path.parent / described["data"].split(",")[0]).resolve()
    lines = source.read_text().splitlines()
    header = lines[0].split(",")
    for case in described["cases"]:
        with tempfile.TemporaryDirectory() as place:
            data = pathlib.Path(place, "data.csv")
            data.write_text("\n".join(lines[: case["rows"] + 1]))
            spec = {
                "response": header[0],
                "predictors": header[1:],
                "intercept": True,
                "likelihood": case["likelihood"],
                "priors": {"coefficients": case["coefficients"], "sigma": case["sigma"]},
            }
            spec["priors"]["sigma"] = {key: value for key, value in case["sigma"].items()}
            quantities = run(program, scenario(regression(spec, data), nuts), place)
        # Some were computed on a grid, with quantiles of five digits.
        keys = ("mean", "sd") if "grid" in case["method"] or "Sobol" in case["method"] or "closed" in case["method"] else None
        expected = [(label, {k: v for k, v in values.items() if keys is None or k in keys}) for label, values in rows(case, {})]
        wrong += compare(case["case"], quantities, expected, case["log_normaliser"], nuts)
    return wrong


def main():
    arguments = [argument for argument in sys.argv[1:] if argument != "--nuts"]
    nuts = "--nuts" in sys.argv
    program, folder, chosen = arguments[0], pathlib.Path(arguments[1]), arguments[2:]
    found = sorted(path.parent for path in folder.glob("*/spec.json"))
    found = [path for path in found if not chosen or path.name in chosen]
    if not found:
        raise SystemExit(f"{folder} has no packs")
    wrong = sum(pack(program, path, nuts) for path in found)
    wrong += variants(program, folder, nuts) if not chosen else 0
    raise SystemExit(1 if wrong else 0)


main()
