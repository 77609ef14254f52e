'use strict';
// The runner loads reporters itself; this passes values to them without a name that code under test could use.
const { subscribe, unsubscribe } = require('node:diagnostics_channel');

const CHANNEL = 'guardkit:tap';

/** Gives `value` to the first of our modules that asks for it. */
function offer(value, name = CHANNEL) {
  function answer(question) {
    unsubscribe(name, answer);
    question.value = value;
  }
  subscribe(name, answer);
}

module.exports = { offer };
