import { Module } from '@nestjs/common';
import { CycleMaintenanceController } from '../cycles/cycle-maintenance.controller.js';
import { CycleMaintenanceService } from '../cycles/cycle-maintenance.service.js';
import { CyclePlanningService } from '../cycles/cycle-planning.service.js';
import { PreviewService } from '../cycles/preview.service.js';
import { ExchangeRatesModule } from '../exchange-rates/exchange-rates.module.js';
import { LedgerModule } from '../ledger/ledger.module.js';
import { OccurrencesController } from '../templates/occurrences.controller.js';
import { OccurrencesService } from '../templates/occurrences.service.js';
import { TemplatesModule } from '../templates/templates.module.js';
import { CyclePlanningController } from './cycle-planning.controller.js';

@Module({
  imports: [ExchangeRatesModule, LedgerModule, TemplatesModule],
  controllers: [CycleMaintenanceController, CyclePlanningController, OccurrencesController],
  providers: [CycleMaintenanceService, CyclePlanningService, OccurrencesService, PreviewService],
})
export class PlanningModule {}
