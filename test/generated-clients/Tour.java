import expenses.ApiClient;
import expenses.ApiException;
import expenses.api.ActivityAndCommentsApi;
import expenses.api.AuthenticationAndUsersApi;
import expenses.api.BudgetsApi;
import expenses.api.ChangesApi;
import expenses.api.CycleExpensesApi;
import expenses.api.CyclesApi;
import expenses.api.ExpenseTemplatesApi;
import expenses.api.PaymentMethodsApi;
import expenses.api.ReportsApi;
import expenses.model.*;
import java.time.LocalDate;
import java.util.UUID;

/** The tour of the API with the client that openapi-generator makes for Java. */
class Tour {
  private static final LocalDate START = LocalDate.of(2026, 1, 5);

  private final ExpenseTemplatesApi templates;

  private Tour(ApiClient client) {
    templates = new ExpenseTemplatesApi(client);
  }

  public static void main(String[] arguments) throws Exception {
    ApiClient client = new ApiClient();
    client.updateBaseUri(arguments[0]);
    AuthenticationAndUsersApi users = new AuthenticationAndUsersApi(client);
    AccountOptionsResponse account = users.getAccountOptions();
    System.out.printf("account %s %b%n", account.getRegistration(), account.getPasswordReset());
    System.out.println(
        "reset " + users.requestPasswordReset(new RequestPasswordResetDto().email("nobody@example.com")));
    try {
      users.confirmPasswordReset(
          new ConfirmPasswordResetDto().token("unknown").newPassword("a better horse battery"));
    } catch (ApiException refused) {
      System.out.println("confirm " + refused.getCode());
    }
    TokenResponse session =
        users.logIn(arguments[2], arguments[1], null, null, null, null, null);
    client.setRequestInterceptor(
        request -> request.header("Authorization", "Bearer " + session.getAccessToken()));

    UUID method = new PaymentMethodsApi(client).createPaymentMethod(
        new CreatePaymentMethodDto()
            .name("Java")
            .methodType(PaymentMethodType.DEBIT)
            .defaultCurrency(CurrencyCode.USD),
        null).getId();
    UUID budget = new BudgetsApi(client).createBudget(
        new CreateBudgetDto().name("Home").limit("3000.00"), null).getId();
    new Tour(client).changeTemplates(method, budget);

    CycleResponse cycle = new CyclesApi(client).createCycle(
        new CreateCycleDto()
            .name("Spring")
            .startDate(LocalDate.of(2026, 3, 2))
            .endDate(LocalDate.of(2026, 4, 12))
            .incomeAmount("5000.00"),
        null);
    CycleExpensesApi expenses = new CycleExpensesApi(client);
    var list = expenses.listExpenses(cycle.getId(), null, null, null, null, null).getExpenses();
    ExpenseResponse first = list.get(0);
    ExpenseResponse second = list.get(1);
    UpdateExpenseDto paid = new UpdateExpenseDto().paid(true);
    String tag = expenses.getExpenseWithHttpInfo(cycle.getId(), first.getId()).getHeaders().get("etag").get(0);
    System.out.println("tag " + expenses.updateExpense(cycle.getId(), first.getId(), paid, tag).getStatus());
    String updatedAt = '"' + second.getUpdatedAt().toString() + '"';
    System.out.println(
        "updated_at " + expenses.updateExpense(cycle.getId(), second.getId(), paid, updatedAt).getStatus());

    for (BudgetSummary one : new ReportsApi(client).getCycleSummary(cycle.getId()).getByBudget()) {
      System.out.printf(
          "budget %s %s %b%n",
          one.getBudget().getName(), one.getLimit(), one.getExpenseCount() == list.size());
    }

    for (ChangeResponse one : new ChangesApi(client).listChanges(null, null).getChanges()) {
      if (one.getActualInstance() instanceof CycleExpenseChangeResponse change
          && change.getEntityId().equals(second.getId())) {
        System.out.printf(
            "change %s %b %s%n",
            change.getEntityType(), change.getDeleted(), change.getRepresentation().getStatus());
      }
    }

    ActivityAndCommentsApi activity = new ActivityAndCommentsApi(client);
    UUID record =
        activity.listActivity(EntityType.CYCLE_EXPENSE, second.getId(), null, 1, null, null).get(0).getId();
    CycleExpenseUndoResponse undone =
        activity.undoActivity(record, null, null).getCycleExpenseUndoResponse();
    System.out.println("undone " + undone.getEntityType() + ' ' + undone.getRepresentation().getStatus());
  }

  private void changeTemplates(UUID method, UUID budget) throws Exception {
    UUID weekly = create(new CreateExpenseTemplateDto(
        new CreateWeeklyExpenseTemplateDto()
            .description("Rent").currency(CurrencyCode.USD).baseAmount("100.00")
            .referenceDate(START).category(ExpenseCategory.FIXED).paymentMethodId(method).budgetId(budget)
            .recurrenceType(CreateWeeklyExpenseTemplateDto.RecurrenceTypeEnum.WEEKLY)
            .recurrenceConfig(new WeeklyConfigDto().dayOfWeek(1)))).getWeeklyExpenseTemplateResponse().getId();
    WeeklyExpenseTemplateResponse w = change(weekly, new RecurrenceConfigDto(
        new WeeklyConfigDto().dayOfWeek(5))).getWeeklyExpenseTemplateResponse();
    print(w.getRecurrenceType(), w.getDescription(), w.getBaseAmount(), w.getRecurrenceConfig().getDayOfWeek());

    UUID biWeekly = create(new CreateExpenseTemplateDto(
        new CreateBiWeeklyExpenseTemplateDto()
            .description("Rent").currency(CurrencyCode.USD).baseAmount("100.00")
            .referenceDate(START).category(ExpenseCategory.FIXED).paymentMethodId(method).budgetId(budget)
            .recurrenceType(CreateBiWeeklyExpenseTemplateDto.RecurrenceTypeEnum.BI_WEEKLY)
            .recurrenceConfig(new BiWeeklyConfigDto().intervalDays(14L)))).getBiWeeklyExpenseTemplateResponse().getId();
    BiWeeklyExpenseTemplateResponse b = change(biWeekly, new RecurrenceConfigDto(
        new BiWeeklyConfigDto().intervalDays(10L))).getBiWeeklyExpenseTemplateResponse();
    print(b.getRecurrenceType(), b.getDescription(), b.getBaseAmount(), b.getRecurrenceConfig().getIntervalDays());

    UUID monthly = create(new CreateExpenseTemplateDto(
        new CreateMonthlyExpenseTemplateDto()
            .description("Rent").currency(CurrencyCode.USD).baseAmount("100.00")
            .referenceDate(START).category(ExpenseCategory.FIXED).paymentMethodId(method).budgetId(budget)
            .recurrenceType(CreateMonthlyExpenseTemplateDto.RecurrenceTypeEnum.MONTHLY)
            .recurrenceConfig(new MonthlyConfigDto().dayOfMonth(1)))).getMonthlyExpenseTemplateResponse().getId();
    MonthlyExpenseTemplateResponse m = change(monthly, new RecurrenceConfigDto(
        new MonthlyConfigDto().dayOfMonth(20).handleMonthEnd(true))).getMonthlyExpenseTemplateResponse();
    print(m.getRecurrenceType(), m.getDescription(), m.getBaseAmount(), m.getRecurrenceConfig().getDayOfMonth());

    UUID custom = create(new CreateExpenseTemplateDto(
        new CreateCustomExpenseTemplateDto()
            .description("Rent").currency(CurrencyCode.USD).baseAmount("100.00")
            .referenceDate(START).category(ExpenseCategory.FIXED).paymentMethodId(method).budgetId(budget)
            .recurrenceType(CreateCustomExpenseTemplateDto.RecurrenceTypeEnum.CUSTOM)
            .recurrenceConfig(new CustomConfigDto().interval(3L).unit(RecurrenceUnit.WEEKS))))
        .getCustomExpenseTemplateResponse().getId();
    CustomExpenseTemplateResponse c = change(custom, new RecurrenceConfigDto(
        new CustomConfigDto().interval(2L).unit(RecurrenceUnit.WEEKS).dayOfWeek(3))).getCustomExpenseTemplateResponse();
    print(c.getRecurrenceType(), c.getDescription(), c.getBaseAmount(), c.getRecurrenceConfig().getInterval());
  }

  private ExpenseTemplateResponse create(CreateExpenseTemplateDto template) throws Exception {
    return templates.createExpenseTemplate(template, null);
  }

  private ExpenseTemplateResponse change(UUID id, RecurrenceConfigDto config) throws Exception {
    templates.updateExpenseTemplate(
        id, new UpdateExpenseTemplateDto().baseAmount("110.00").recurrenceConfig(config), null);
    return templates.getExpenseTemplate(id);
  }

  private static void print(Object... values) {
    System.out.printf("%s %s %s %s%n", values);
  }
}
