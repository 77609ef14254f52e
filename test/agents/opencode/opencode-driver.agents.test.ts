import { driverContract } from '../../orchestration/drivers/driver-contract.ts';
import { OPENCODE_BENCH } from './opencode-machine.ts';

// [BUILD-11]
driverContract([OPENCODE_BENCH]);
