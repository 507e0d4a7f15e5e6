"""The tour of the API with the client that openapi-generator makes for Python."""

import sys
from datetime import date

from expense_api import (
    ActivityAndCommentsApi,
    ApiClient,
    ApiException,
    AuthenticationAndUsersApi,
    BiWeeklyConfigDto,
    BudgetsApi,
    ChangesApi,
    Configuration,
    ConfirmPasswordResetDto,
    CreateBiWeeklyExpenseTemplateDto,
    CreateBudgetDto,
    CreateCustomExpenseTemplateDto,
    CreateCycleDto,
    CreateMonthlyExpenseTemplateDto,
    CreatePaymentMethodDto,
    CreateExpenseTemplateDto,
    CreateWeeklyExpenseTemplateDto,
    CustomConfigDto,
    CycleExpensesApi,
    CyclesApi,
    ExpenseTemplatesApi,
    MonthlyConfigDto,
    PaymentMethodsApi,
    ReportsApi,
    RequestPasswordResetDto,
    UpdateExpenseDto,
    UpdateExpenseTemplateDto,
    RecurrenceConfigDto,
    WeeklyConfigDto,
)

host, email, password = sys.argv[1:]
client = ApiClient(Configuration(host=host))
users = AuthenticationAndUsersApi(client)

account = users.get_account_options()
print("account", account.registration.value, str(account.password_reset).lower())
print("reset", users.request_password_reset(RequestPasswordResetDto(email="nobody@example.com")))
try:
    users.confirm_password_reset(ConfirmPasswordResetDto(token="unknown", new_password="a better horse battery"))
except ApiException as error:
    print("confirm", error.status)

session = users.log_in(username=email, password=password)
client.configuration.access_token = session.access_token

method = PaymentMethodsApi(client).create_payment_method(
    CreatePaymentMethodDto(name="Python", method_type="debit", default_currency="USD")
)
budget = BudgetsApi(client).create_budget(CreateBudgetDto(name="Home", limit="3000.00"))

templates = ExpenseTemplatesApi(client)
common = dict(
    description="Rent",
    currency="USD",
    base_amount="100.00",
    payment_method_id=method.id,
    budget_id=budget.id,
    category="fixed",
    reference_date=date(2026, 1, 5),
)
for new, config in [
    (
        CreateWeeklyExpenseTemplateDto(recurrence_type="weekly", recurrence_config=WeeklyConfigDto(day_of_week=1), **common),
        WeeklyConfigDto(day_of_week=5),
    ),
    (
        CreateBiWeeklyExpenseTemplateDto(
            recurrence_type="bi_weekly", recurrence_config=BiWeeklyConfigDto(interval_days=14), **common
        ),
        BiWeeklyConfigDto(interval_days=10),
    ),
    (
        CreateMonthlyExpenseTemplateDto(
            recurrence_type="monthly", recurrence_config=MonthlyConfigDto(day_of_month=1), **common
        ),
        MonthlyConfigDto(day_of_month=20, handle_month_end=True),
    ),
    (
        CreateCustomExpenseTemplateDto(
            recurrence_type="custom", recurrence_config=CustomConfigDto(interval=3, unit="weeks"), **common
        ),
        CustomConfigDto(interval=2, unit="weeks", day_of_week=3),
    ),
]:
    created = templates.create_expense_template(CreateExpenseTemplateDto(new)).actual_instance
    change = UpdateExpenseTemplateDto(base_amount="110.00", recurrence_config=RecurrenceConfigDto(config))
    templates.update_expense_template(created.id, change)
    read = templates.get_expense_template(created.id).actual_instance
    [value, *_] = read.recurrence_config.to_dict().values()
    print(read.recurrence_type, read.description, read.base_amount, value)

cycle = CyclesApi(client).create_cycle(
    CreateCycleDto(
        name="Spring", start_date=date(2026, 3, 2), end_date=date(2026, 4, 12), income_amount="5000.00"
    )
)
expenses = CycleExpensesApi(client)
listed = expenses.list_expenses(cycle.id).expenses
[first, second, *_] = listed
tag = expenses.get_expense_with_http_info(cycle.id, first.id).headers["ETag"]
paid = expenses.update_expense(cycle.id, first.id, UpdateExpenseDto(paid=True), if_match=tag)
print("tag", paid.status.value)
updated_at = f'"{second.updated_at.isoformat()}"'
paid = expenses.update_expense(cycle.id, second.id, UpdateExpenseDto(paid=True), if_match=updated_at)
print("updated_at", paid.status.value)

for one in ReportsApi(client).get_cycle_summary(cycle.id).by_budget:
    print("budget", one.budget.name, one.limit, str(one.expense_count == len(listed)).lower())

changes = [change.actual_instance for change in ChangesApi(client).list_changes().changes]
change = next(one for one in changes if one.entity_id == second.id)
print("change", change.entity_type, str(change.deleted).lower(), change.representation.status.value)

activity = ActivityAndCommentsApi(client)
[record, *_] = activity.list_activity(entity_type="cycle_expense", entity_id=second.id, limit=1)
undone = activity.undo_activity(record.id).actual_instance
print("undone", undone.entity_type, undone.representation.status.value)
