#!/bin/sh
# Runs the tests, and leaves the lines that they reach in lcov.info.
node --test --experimental-test-coverage \
  --test-reporter=lcov --test-reporter-destination=lcov.info \
  --test-reporter=spec --test-reporter-destination=stdout \
  test/*.test.js
