import { driverContract } from '../../orchestration/drivers/driver-contract.ts';
import { CODEX_BENCH } from './codex-bench.ts';

// [BUILD-11]
driverContract([CODEX_BENCH]);
