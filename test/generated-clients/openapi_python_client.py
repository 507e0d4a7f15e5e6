"""The tour of the API with the client that openapi-python-client makes."""

import sys
from datetime import date

from expense_api import AuthenticatedClient, Client
from expense_api.api.activity_and_comments import list_activity, undo_activity
from expense_api.api.authentication_and_users import (
    confirm_password_reset,
    get_account_options,
    log_in,
    request_password_reset,
)
from expense_api.api.budgets import create_budget
from expense_api.api.changes import list_changes
from expense_api.api.cycle_expenses import get_expense, list_expenses, update_expense
from expense_api.api.cycles import create_cycle
from expense_api.api.expense_templates import create_expense_template, get_expense_template, update_expense_template
from expense_api.api.payment_methods import create_payment_method
from expense_api.api.reports import get_cycle_summary
from expense_api.models import (
    BiWeeklyConfigDto,
    ConfirmPasswordResetDto,
    CreateBiWeeklyExpenseTemplateDto,
    CreateBiWeeklyExpenseTemplateDtoRecurrenceType,
    CreateBudgetDto,
    CreateCustomExpenseTemplateDto,
    CreateCustomExpenseTemplateDtoRecurrenceType,
    CreateCycleDto,
    CreateMonthlyExpenseTemplateDto,
    CreateMonthlyExpenseTemplateDtoRecurrenceType,
    CreatePaymentMethodDto,
    CreateWeeklyExpenseTemplateDto,
    CreateWeeklyExpenseTemplateDtoRecurrenceType,
    CurrencyCode,
    CustomConfigDto,
    EntityType,
    ExpenseCategory,
    LoginDto,
    MonthlyConfigDto,
    PaymentMethodType,
    RecurrenceUnit,
    RequestPasswordResetDto,
    UpdateExpenseDto,
    UpdateExpenseTemplateDto,
    WeeklyConfigDto,
)

host, email, password = sys.argv[1:]
anonymous = Client(base_url=host)

account = get_account_options.sync(client=anonymous)
print("account", account.registration.value, str(account.password_reset).lower())
requested = request_password_reset.sync(
    client=anonymous, body=RequestPasswordResetDto(email="nobody@example.com")
)
print("reset", requested.to_dict())
refused = confirm_password_reset.sync_detailed(
    client=anonymous, body=ConfirmPasswordResetDto(token="unknown", new_password="a better horse battery")
)
print("confirm", refused.status_code.value)

session = log_in.sync(client=anonymous, body=LoginDto(username=email, password=password))
client = AuthenticatedClient(base_url=host, token=session.access_token)

method = create_payment_method.sync(
    client=client,
    body=CreatePaymentMethodDto(
        name="Python", method_type=PaymentMethodType.DEBIT, default_currency=CurrencyCode.USD
    ),
)
budget = create_budget.sync(client=client, body=CreateBudgetDto(name="Home", limit="3000.00"))

common = dict(
    description="Rent",
    currency=CurrencyCode.USD,
    base_amount="100.00",
    payment_method_id=method.id,
    budget_id=budget.id,
    category=ExpenseCategory.FIXED,
    reference_date=date(2026, 1, 5),
)
for new, config in [
    (
        CreateWeeklyExpenseTemplateDto(
            recurrence_type=CreateWeeklyExpenseTemplateDtoRecurrenceType.WEEKLY,
            recurrence_config=WeeklyConfigDto(day_of_week=1),
            **common,
        ),
        WeeklyConfigDto(day_of_week=5),
    ),
    (
        CreateBiWeeklyExpenseTemplateDto(
            recurrence_type=CreateBiWeeklyExpenseTemplateDtoRecurrenceType.BI_WEEKLY,
            recurrence_config=BiWeeklyConfigDto(interval_days=14),
            **common,
        ),
        BiWeeklyConfigDto(interval_days=10),
    ),
    (
        CreateMonthlyExpenseTemplateDto(
            recurrence_type=CreateMonthlyExpenseTemplateDtoRecurrenceType.MONTHLY,
            recurrence_config=MonthlyConfigDto(day_of_month=1),
            **common,
        ),
        MonthlyConfigDto(day_of_month=20, handle_month_end=True),
    ),
    (
        CreateCustomExpenseTemplateDto(
            recurrence_type=CreateCustomExpenseTemplateDtoRecurrenceType.CUSTOM,
            recurrence_config=CustomConfigDto(interval=3, unit=RecurrenceUnit.WEEKS),
            **common,
        ),
        CustomConfigDto(interval=2, unit=RecurrenceUnit.WEEKS, day_of_week=3),
    ),
]:
    created = create_expense_template.sync(client=client, body=new)
    change = UpdateExpenseTemplateDto(base_amount="110.00", recurrence_config=config)
    update_expense_template.sync(created.id, client=client, body=change)
    read = get_expense_template.sync(created.id, client=client)
    [value, *_] = read.recurrence_config.to_dict().values()
    print(read.recurrence_type.value, read.description, read.base_amount, value)

cycle = create_cycle.sync(
    client=client,
    body=CreateCycleDto(
        name="Spring", start_date=date(2026, 3, 2), end_date=date(2026, 4, 12), income_amount="5000.00"
    ),
)
listed = list_expenses.sync(cycle.id, client=client).expenses
[first, second, *_] = listed
tag = get_expense.sync_detailed(cycle.id, first.id, client=client).headers["ETag"]
paid = update_expense.sync(cycle.id, first.id, client=client, body=UpdateExpenseDto(paid=True), if_match=tag)
print("tag", paid.status.value)
updated_at = f'"{second.updated_at.isoformat()}"'
paid = update_expense.sync(
    cycle.id, second.id, client=client, body=UpdateExpenseDto(paid=True), if_match=updated_at
)
print("updated_at", paid.status.value)

for one in get_cycle_summary.sync(cycle.id, client=client).by_budget:
    print("budget", one.budget.name, one.limit, str(one.expense_count == len(listed)).lower())

changes = list_changes.sync(client=client).changes
change = next(one for one in changes if one.entity_id == second.id)
print("change", change.entity_type.value, str(change.deleted).lower(), change.representation.status.value)

[record, *_] = list_activity.sync(
    client=client, entity_type=EntityType.CYCLE_EXPENSE, entity_id=second.id, limit=1
)
undone = undo_activity.sync(record.id, client=client)
print("undone", undone.entity_type.value, undone.representation.status.value)
