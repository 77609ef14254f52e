import { driverContract } from '../../orchestration/drivers/driver-contract.ts';
import { GEMINI_BENCH } from './gemini-machine.ts';

// [BUILD-11]
driverContract([GEMINI_BENCH]);
