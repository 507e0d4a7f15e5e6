import { Module } from '@nestjs/common';
import { ExchangeRatesModule } from '../exchange-rates/exchange-rates.module.js';
import { LedgerModule } from '../ledger/ledger.module.js';
import { TemplatesModule } from '../templates/templates.module.js';
import { CycleMaintenanceController } from './cycle-maintenance.controller.js';
import { CycleMaintenanceService } from './cycle-maintenance.service.js';
import { CyclePlanningController } from './cycle-planning.controller.js';
import { CyclePlanningService } from './cycle-planning.service.js';
import { OccurrencesController } from './occurrences.controller.js';
import { OccurrencesService } from './occurrences.service.js';
import { PreviewService } from './preview.service.js';

@Module({
  imports: [ExchangeRatesModule, LedgerModule, TemplatesModule],
  controllers: [CycleMaintenanceController, CyclePlanningController, OccurrencesController],
  providers: [CycleMaintenanceService, CyclePlanningService, OccurrencesService, PreviewService],
})
export class PlanningModule {}
