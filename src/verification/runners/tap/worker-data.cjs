'use strict';

/** The key under which a runner's threads find the data for their tap. */
module.exports = { WORKER_DATA: 'guardkit:worker' };
