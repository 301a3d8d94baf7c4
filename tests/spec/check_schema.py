# Judges specs by the JSON schema: check_schema.py SCHEMA CASES, the cases being a list of
# {label, valid, spec}. Prints each case that is judged otherwise than `valid` says; exit status 1 if any is.
import json
import sys

import jsonschema

schema = json.load(open(sys.argv[1]))
jsonschema.Draft7Validator.check_schema(schema)
validator = jsonschema.Draft7Validator(schema)
wrong = 0
for case in json.load(open(sys.argv[2])):
    if validator.is_valid(case["spec"]) != case["valid"]:
        wrong += 1
        errors = [error.message for error in validator.iter_errors(case["spec"])]
        print(f"{case['label']}: expected valid={case['valid']}, {errors[:1]}")
sys.exit(1 if wrong else 0)
