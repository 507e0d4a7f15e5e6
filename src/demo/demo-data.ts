import { Inject, Injectable } from '@nestjs/common';
import { AuthService } from '../auth/auth.service.js';
import { RegisterDto } from '../auth/dto/auth.dto.js';
import { CommentsService } from '../comments/comments.service.js';
import { CreateCommentDto } from '../comments/dto/comment.dto.js';
import {
  dayNumber,
  fromDayNumber,
  today as currentDay,
  type CalendarDate,
} from '../common/calendar-date.js';
import { validatedBody } from '../common/http/validated-body.js';
import { SETTINGS } from '../config/config.module.js';
import type { Settings } from '../config/settings.js';
import { CyclesService } from '../cycles/cycles.service.js';
import { CreateCycleDto, UpdateCycleDto } from '../cycles/dto/cycle.dto.js';
import { CreateExpenseDto, UpdateExpenseDto } from '../expenses/dto/expense.dto.js';
import { ExpensesService } from '../expenses/expenses.service.js';
import { CreatePaymentMethodDto } from '../payment-methods/dto/payment-method.dto.js';
import { PaymentMethodsService } from '../payment-methods/payment-methods.service.js';
import { CreateTemplateDto } from '../templates/dto/template.dto.js';
import { TemplatesService } from '../templates/templates.service.js';
import type { AuthenticatedUser } from '../users/current-user.decorator.js';
import { household } from './household.js';

const DAYS_OF_A_YEAR = 365;
const USUAL_CYCLE_DAYS = 42;

interface Period {
  start: CalendarDate;
  end: CalendarDate;
}

/** Plays the bilingual household for a new user, a year long, through the services. */
@Injectable()
export class DemoData {
  constructor(
    @Inject(SETTINGS) private readonly settings: Settings,
    private readonly auth: AuthService,
    private readonly paymentMethods: PaymentMethodsService,
    private readonly templates: TemplatesService,
    private readonly cycles: CyclesService,
    private readonly expenses: ExpensesService,
    private readonly comments: CommentsService,
  ) {}

  /**
   * A new user with a year of cycles: those before `today` completed and paid, the one it lies in active
   * and paid up to the day before but for one expense, the next a draft.
   *
   * @returns how many cycles
   * @throws DomainError USER_ALREADY_EXISTS
   */
  async play(account: { email: string; password: string }, today = currentDay()): Promise<number> {
    const { id, email, householdId, role } = await this.auth.register(
      await validatedBody(RegisterDto, { ...account, first_name: 'Ana', locale: 'es-MX' }),
    );
    const user = { id, email, householdId, role };
    const methodIds = await this.playMethods(user);
    await this.playTemplates(user, methodIds);
    const periods = yearOfPeriods(today, this.cycleDays);
    for (const period of periods) await this.playCycle(user, period, today, methodIds);
    return periods.length;
  }

  /** Both ends included. */
  private get cycleDays(): number {
    return Math.min(USUAL_CYCLE_DAYS, this.settings.cycleMaxDays + 1);
  }

  private async playMethods(user: AuthenticatedUser): Promise<Map<string, string>> {
    const ids = new Map<string, string>();
    for (const method of household.payment_methods) {
      const dto = await validatedBody(CreatePaymentMethodDto, method);
      ids.set(method.name, (await this.paymentMethods.create(user, dto)).id);
    }
    return ids;
  }

  private async playTemplates(
    user: AuthenticatedUser,
    methodIds: ReadonlyMap<string, string>,
  ): Promise<void> {
    for (const { payment_method: name, ...template } of household.templates) {
      const body = { ...template, payment_method_id: methodIds.get(name) };
      await this.templates.create(user, await validatedBody(CreateTemplateDto, body));
    }
  }

  private async playCycle(
    user: AuthenticatedUser,
    { start, end }: Period,
    today: CalendarDate,
    methodIds: ReadonlyMap<string, string>,
  ): Promise<void> {
    const { id } = await this.cycles.create(
      user,
      await validatedBody(CreateCycleDto, {
        name: `${start} to ${end}`,
        start_date: start,
        end_date: end,
        income_amount: household.cycle.income_amount,
      }),
    );
    if (start > today) return;
    await this.expenses.create(
      user,
      id,
      await validatedBody(CreateExpenseDto, {
        description: 'Cena de cumpleaños',
        currency: 'MXN',
        amount: '940.00',
        payment_method_id: methodIds.get('Efectivo'),
        due_date: start,
        category: 'variable',
        comments: 'Con los abuelos',
      }),
    );
    const isOver = end < today;
    await this.payWhatIsDue(user, id, { before: today, butOne: !isOver });
    const status = isOver ? 'completed' : 'active';
    await this.cycles.update(user, id, await validatedBody(UpdateCycleDto, { status }));
    if (isOver) return;
    await this.comments.create(
      user,
      await validatedBody(CreateCommentDto, {
        entity_type: 'cycle',
        entity_id: id,
        body: '¿Ya pagamos la **renta**? Ask for the receipt.',
      }),
    );
  }

  /** On the due date. The cleaning never came, and is cancelled. */
  private async payWhatIsDue(
    user: AuthenticatedUser,
    cycleId: string,
    { before, butOne }: { before: CalendarDate; butOne: boolean },
  ): Promise<void> {
    const { expenses } = await this.expenses.list(user, cycleId, {});
    const due = expenses.filter((expense) => expense.due_date < before);
    for (const expense of butOne ? due.slice(0, -1) : due) {
      const change =
        expense.description === 'Cleaning'
          ? { status: 'cancelled' }
          : { paid: true, paid_at: `${expense.due_date}T18:00:00Z` };
      await this.expenses.update(
        user,
        { cycleId, expenseId: expense.id },
        await validatedBody(UpdateExpenseDto, change),
      );
    }
  }
}

/** Periods without gaps, a year or a little more, of which the last but one has the day in its middle. */
function yearOfPeriods(today: CalendarDate, days: number): Period[] {
  const count = Math.ceil(DAYS_OF_A_YEAR / days);
  const current = dayNumber(today) - Math.floor(days / 2);
  return Array.from({ length: count }, (_, at) => {
    const start = current + (at - (count - 2)) * days;
    return { start: fromDayNumber(start), end: fromDayNumber(start + days - 1) };
  });
}
