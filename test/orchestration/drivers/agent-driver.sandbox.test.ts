import { rows } from '../../support/thorough.ts';
import { DRIVER_BENCHES } from './driver-benches.ts';
import { driverContract } from './driver-contract.ts';

// [BUILD-11]
driverContract(rows(1, DRIVER_BENCHES));
