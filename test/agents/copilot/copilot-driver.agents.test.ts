import { driverContract } from '../../orchestration/drivers/driver-contract.ts';
import { COPILOT_BENCH } from './copilot-machine.ts';

// [BUILD-11]
driverContract([COPILOT_BENCH]);
