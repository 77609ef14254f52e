export { deliverToMemory as deliver } from '../../../store/ledger/deliver-to-memory.ts';
