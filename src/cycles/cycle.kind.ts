import type { StoredKind } from '../activity/record-kind.js';
import { Cycle } from '../ledger/entities/cycle.entity.js';
import { CyclesService } from './cycles.service.js';
import { CycleResponse } from './dto/cycle.dto.js';

export const CYCLE_KIND: StoredKind<typeof Cycle.type> = {
  type: Cycle.type,
  entity: Cycle,
  representation: CycleResponse,
  service: CyclesService,
};
