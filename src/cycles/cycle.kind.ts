import { Cycle } from '../ledger/entities/cycle.entity.js';
import type { StoredKind } from '../records/record-kind.js';
import { CyclesService } from './cycles.service.js';
import { CycleResponse } from './dto/cycle.dto.js';

export const CYCLE_KIND: StoredKind<typeof Cycle.type> = {
  type: Cycle.type,
  entity: Cycle,
  representation: CycleResponse,
  service: CyclesService,
};
