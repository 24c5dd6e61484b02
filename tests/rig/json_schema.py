# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
"""What is wrong with a value, by a JSON Schema: the keywords that ours use."""
import re

TYPES = {"object": dict, "array": list, "string": str, "boolean": bool, "integer": int}
KNOWN = {"$schema", "title", "$defs", "$ref", "type", "enum", "const", "pattern", "minimum",
         "maximum", "properties", "required", "additionalProperties", "items", "anyOf", "allOf",
         "if", "then"}


def wrong(schema, value, where, rule=None):
    """Messages; 'rule' is a part of the schema, by default all of it. No other keyword is known."""
    rule = schema if rule is None else rule
    if set(rule) - KNOWN:
        yield "%s: the schema uses %s" % (where, set(rule) - KNOWN)
    if "$ref" in rule:
        yield from wrong(schema, value, where, schema["$defs"][rule["$ref"][len("#/$defs/"):]])
    if "type" in rule and (not isinstance(value, TYPES[rule["type"]]) or
                           rule["type"] == "integer" and isinstance(value, bool)):
        yield "%s: %r is no %s" % (where, value, rule["type"])
        return
    if "enum" in rule and value not in rule["enum"]:
        yield "%s: %r is none of them" % (where, value)
    if "const" in rule and value != rule["const"]:
        yield "%s: %r is not %r" % (where, value, rule["const"])
    if "pattern" in rule and not re.search(rule["pattern"], value):
        yield "%s: %r does not match" % (where, value)
    if "minimum" in rule and not rule["minimum"] <= value <= rule["maximum"]:
        yield "%s: %r is out of bounds" % (where, value)
    if "anyOf" in rule and all(list(wrong(schema, value, where, one)) for one in rule["anyOf"]):
        yield "%s: %r is nothing that it may be" % (where, value)
    for one in rule.get("allOf", []):
        if not list(wrong(schema, value, where, one["if"])):
            yield from wrong(schema, value, where, one["then"])
    if isinstance(value, list) and "items" in rule:
        for item in value:
            yield from wrong(schema, item, where + "[]", rule["items"])
    if isinstance(value, dict):
        for name in rule.get("required", []):
            if name not in value:
                yield "%s: %s is missing" % (where, name)
        for name, inner in value.items():
            if name in rule.get("properties", {}):
                yield from wrong(schema, inner, where + "." + name, rule["properties"][name])
            elif rule.get("additionalProperties") is False:
                yield "%s: %s is not in the schema" % (where, name)
