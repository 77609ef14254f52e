import { driverContract } from '../../orchestration/drivers/driver-contract.ts';
import { QWEN_BENCH } from './qwen-machine.ts';

// [BUILD-11]
driverContract([QWEN_BENCH]);
