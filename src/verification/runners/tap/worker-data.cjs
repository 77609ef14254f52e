'use strict';

/** Under this name threads of a runner find what their tap needs. */
module.exports = { WORKER_DATA: 'guardkit:worker' };
