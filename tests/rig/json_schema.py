# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
"""What is wrong with a value, by a JSON Schema: the verdict of python3-jsonschema.

json_schema.py SCHEMA FILE...: the files have JSON, one value or one for each line. Says how many
were valid, or what is wrong. The schema has to show that it can refuse: values in which something
is planted (a member that is not known, an object in the place of a value, a member left out that
is required) are no longer valid, or that is wrong, too.
"""
import copy
import json
import sys

from jsonschema import Draft202012Validator

PLANTED = {"planted": {}}
SPOTS = 60		# where something is planted
SMALL = 65536		# bytes: what is larger takes long, and says no more
ERRORS = 5


def wrong(schema, value, where):
    """Messages."""
    validator = schema if isinstance(schema, Draft202012Validator) else Draft202012Validator(schema)
    for error in validator.iter_errors(value):
        yield "%s: %s: %s" % (where, "/".join(map(str, error.absolute_path)), error.message[:300])


def values(text):
    """One value, or one for each line."""
    try:
        return [json.loads(text)]
    except ValueError:
        return [json.loads(line) for line in text.splitlines()]


def paths(value, path=()):
    """Where all parts of a value are."""
    yield path
    if isinstance(value, (dict, list)):
        for key, inner in value.items() if isinstance(value, dict) else enumerate(value):
            yield from paths(inner, path + (key,))


def at(value, path):
    for key in path:
        value = value[key]
    return value


def planted(value, path):
    """The value with something wrong in that place: (what, value)."""
    if path:
        other = copy.deepcopy(value)
        at(other, path[:-1])[path[-1]] = PLANTED
        yield "an object in the place of %s" % "/".join(map(str, path)), other
    if isinstance(at(value, path), dict):
        other = copy.deepcopy(value)
        at(other, path).update(PLANTED)
        yield "a member that is added to %s" % "/".join(map(str, path)), other


def harmless(validator, found):
    """What was planted and is taken."""
    small = [value for value in found if len(json.dumps(value)) < SMALL] or found
    spots = [(value, path) for value in small for path in paths(value)]
    for value, path in spots[::max(1, len(spots) // SPOTS)]:
        for what, other in planted(value, path):
            if validator.is_valid(other):
                yield "the schema takes %s: %s" % (what, json.dumps(other)[:300])
    top = found[0][0] if isinstance(found[0], list) else found[0]
    for name in top:
        other = {key: member for key, member in top.items() if key != name}
        if name in validator.schema.get("required", []) and validator.is_valid(other):
            yield "the schema takes an object without %s" % name


def open_objects(rule, where="#"):
    """Parts of a schema that do not say which members an object may and must have."""
    if isinstance(rule, dict):
        if rule.get("type") == "object" and "properties" in rule and \
                ("required" not in rule or rule.get("additionalProperties") is not False):
            yield "%s: an object without required, or without additionalProperties" % where
        for name, inner in rule.items():
            yield from open_objects(inner, where + "/" + name)
    elif isinstance(rule, list):
        for inner in rule:
            yield from open_objects(inner, where)


def main():
    schema = json.load(open(sys.argv[1], encoding="utf-8"))
    Draft202012Validator.check_schema(schema)
    validator = Draft202012Validator(schema)
    errors, found = list(open_objects(schema)), []
    for name in sys.argv[2:]:
        found += values(open(name, encoding="utf-8").read())
    for number, value in enumerate(found, 1):
        errors += wrong(validator, value, "value %d" % number)
    errors += harmless(validator, found)
    print("\n".join(errors[:ERRORS]) if errors else "%d valid" % len(found))


if __name__ == "__main__":
    main()
