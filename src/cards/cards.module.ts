import { Global, Module } from '@nestjs/common';
import { ActivityModule } from '../activity/activity.module.js';
import { ExchangeRatesModule } from '../exchange-rates/exchange-rates.module.js';
import { PaymentMethodsModule } from '../payment-methods/payment-methods.module.js';
import { StatementsOfCards } from '../payment-methods/statements-of-cards.js';
import { AllCardStatementsController } from './all-card-statements.controller.js';
import { CardStatementsController } from './card-statements.controller.js';
import { CardStatementsRepository } from './card-statements.repository.js';
import { CardStatementsService } from './card-statements.service.js';
import { CardsService } from './cards.service.js';
import { KeptStatementsService } from './kept-statements.service.js';

/** Global, because payment methods, which it imports, need their statements when they change. */
@Global()
@Module({
  imports: [ActivityModule, ExchangeRatesModule, PaymentMethodsModule],
  controllers: [AllCardStatementsController, CardStatementsController],
  providers: [
    CardsService,
    CardStatementsService,
    CardStatementsRepository,
    { provide: StatementsOfCards, useClass: KeptStatementsService },
  ],
  exports: [CardsService, CardStatementsService, StatementsOfCards],
})
export class CardsModule {}
