import { Injectable } from '@nestjs/common';
import { Big } from 'big.js';
import { CardStatementsService } from '../../cards/card-statements.service.js';
import { UpdateCardStatementDto } from '../../cards/dto/card-statement.dto.js';
import { validateBody } from '../../platform/dto/request-validation.pipe.js';
import { addDays } from '../../platform/values/calendar-date.js';
import { formatMoney } from '../../platform/values/money.js';
import { NO_PRECONDITION } from '../../platform/values/precondition.js';
import type { AuthenticatedUser } from '../../users/authenticated-user.js';
import { paidOn } from './bodies.js';

/** How far before the day the first statement of the card closes at most, in days. */
const MAX_DAYS_SINCE_CLOSING = 60;

/** Pays the statement of the card that was due before the day of the household. */
@Injectable()
export class SampleCard {
  constructor(private readonly statements: CardStatementsService) {}

  /** Pays the first statement of a card but for an amount, which is carried to the next one. */
  async payFirstStatement(
    user: AuthenticatedUser,
    { paymentMethodId, unpaid }: { paymentMethodId: string; unpaid: string },
  ): Promise<void> {
    const from = addDays(user.today, -MAX_DAYS_SINCE_CLOSING);
    const [first] = await this.statements.list(user, paymentMethodId, { from });
    if (!first) throw new Error('The card has a statement that was due');
    const { closing_date: closingDate, due_date: dueDate, amount } = first;
    const dto = await validateBody(UpdateCardStatementDto, {
      paid: true,
      paid_at: paidOn(dueDate),
      paid_amount: formatMoney(new Big(amount).minus(unpaid)),
    });
    await this.statements.update(user, { paymentMethodId, closingDate }, dto, NO_PRECONDITION);
  }
}
