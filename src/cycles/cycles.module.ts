import { Module } from '@nestjs/common';
import { BudgetsModule } from '../budgets/budgets.module.js';
import { CardsModule } from '../cards/cards.module.js';
import { ExchangeRatesModule } from '../exchange-rates/exchange-rates.module.js';
import { LedgerModule } from '../ledger/ledger.module.js';
import { CarryOverController } from './carry-over.controller.js';
import { CarryOverService } from './carry-over.service.js';
import { ClosingController } from './closing.controller.js';
import { ClosingService } from './closing.service.js';
import { CycleMaintenanceController } from './cycle-maintenance.controller.js';
import { CycleMaintenanceService } from './cycle-maintenance.service.js';
import { CyclePlanningService } from './cycle-planning.service.js';
import { CyclesController } from './cycles.controller.js';
import { CyclesService } from './cycles.service.js';
import { PreviewService } from './preview.service.js';

@Module({
  imports: [BudgetsModule, CardsModule, ExchangeRatesModule, LedgerModule],
  controllers: [
    CyclesController,
    CycleMaintenanceController,
    CarryOverController,
    ClosingController,
  ],
  providers: [
    CyclesService,
    CyclePlanningService,
    PreviewService,
    CycleMaintenanceService,
    CarryOverService,
    ClosingService,
  ],
  exports: [CyclesService, CarryOverService],
})
export class CyclesModule {}
