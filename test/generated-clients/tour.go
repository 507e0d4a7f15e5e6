// The tour of the API with the client that openapi-generator makes for Go.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"time"

	"expenses"
)

func must[Result any](result Result, _ *http.Response, err error) Result {
	if err != nil {
		panic(err)
	}
	return result
}

func main() {
	host, email, password := os.Args[1], os.Args[2], os.Args[3]
	configuration := expenses.NewConfiguration()
	configuration.Servers = expenses.ServerConfigurations{{URL: host}}
	client := expenses.NewAPIClient(configuration)
	users := client.AuthenticationAndUsersAPI
	account := must(users.GetAccountOptions(context.Background()).Execute())
	fmt.Println("account", account.Registration, account.PasswordReset)
	requested := must(users.RequestPasswordReset(context.Background()).RequestPasswordResetDto(
		*expenses.NewRequestPasswordResetDto("nobody@example.com")).Execute())
	empty, err := json.Marshal(requested)
	if err != nil {
		panic(err)
	}
	fmt.Println("reset", string(empty))
	refused, err := users.ConfirmPasswordReset(context.Background()).ConfirmPasswordResetDto(
		*expenses.NewConfirmPasswordResetDto("unknown", "a better horse battery")).Execute()
	if err == nil {
		panic("the token is accepted")
	}
	fmt.Println("confirm", refused.StatusCode)

	session := must(users.LogIn(context.Background()).Username(email).Password(password).Execute())
	ctx := context.WithValue(context.Background(), expenses.ContextAccessToken, session.AccessToken)

	const usd, fixed, start = expenses.CURRENCYCODE_USD, expenses.EXPENSECATEGORY_FIXED, "2026-01-05"
	method := must(client.PaymentMethodsAPI.CreatePaymentMethod(ctx).CreatePaymentMethodDto(
		*expenses.NewCreatePaymentMethodDto("Go", expenses.PAYMENTMETHODTYPE_DEBIT, usd)).Execute())
	home := expenses.NewCreateBudgetDto("Home")
	home.SetLimit("3000.00")
	budget := must(client.BudgetsAPI.CreateBudget(ctx).CreateBudgetDto(*home).Execute())

	create := func(template expenses.CreateExpenseTemplateDto) *expenses.ExpenseTemplateResponse {
		return must(client.ExpenseTemplatesAPI.CreateExpenseTemplate(ctx).CreateExpenseTemplateDto(template).Execute())
	}
	change := func(id string, config expenses.RecurrenceConfigDto) *expenses.ExpenseTemplateResponse {
		update := expenses.NewUpdateExpenseTemplateDto()
		update.SetBaseAmount("110.00")
		update.SetRecurrenceConfig(config)
		must(client.ExpenseTemplatesAPI.UpdateExpenseTemplate(ctx, id).UpdateExpenseTemplateDto(*update).Execute())
		return must(client.ExpenseTemplatesAPI.GetExpenseTemplate(ctx, id).Execute())
	}

	newWeekly := expenses.NewCreateWeeklyExpenseTemplateDto(
		"Rent", usd, "100.00", "weekly", *expenses.NewWeeklyConfigDto(1), start, method.Id, fixed)
	newWeekly.SetBudgetId(budget.Id)
	weekly := create(expenses.CreateWeeklyExpenseTemplateDtoAsCreateExpenseTemplateDto(newWeekly))
	w := change(weekly.WeeklyExpenseTemplateResponse.Id, expenses.WeeklyConfigDtoAsRecurrenceConfigDto(
		expenses.NewWeeklyConfigDto(5))).WeeklyExpenseTemplateResponse
	fmt.Println(w.RecurrenceType, w.Description, w.BaseAmount, w.RecurrenceConfig.DayOfWeek)

	newBiWeekly := expenses.NewCreateBiWeeklyExpenseTemplateDto(
		"Rent", usd, "100.00", "bi_weekly", *expenses.NewBiWeeklyConfigDto(14), start, method.Id, fixed)
	newBiWeekly.SetBudgetId(budget.Id)
	biWeekly := create(expenses.CreateBiWeeklyExpenseTemplateDtoAsCreateExpenseTemplateDto(newBiWeekly))
	b := change(biWeekly.BiWeeklyExpenseTemplateResponse.Id, expenses.BiWeeklyConfigDtoAsRecurrenceConfigDto(
		expenses.NewBiWeeklyConfigDto(10))).BiWeeklyExpenseTemplateResponse
	fmt.Println(b.RecurrenceType, b.Description, b.BaseAmount, b.RecurrenceConfig.IntervalDays)

	newMonthly := expenses.NewCreateMonthlyExpenseTemplateDto(
		"Rent", usd, "100.00", "monthly", *expenses.NewMonthlyConfigDto(1), start, method.Id, fixed)
	newMonthly.SetBudgetId(budget.Id)
	monthly := create(expenses.CreateMonthlyExpenseTemplateDtoAsCreateExpenseTemplateDto(newMonthly))
	m := change(monthly.MonthlyExpenseTemplateResponse.Id, expenses.MonthlyConfigDtoAsRecurrenceConfigDto(
		expenses.NewMonthlyConfigDto(20))).MonthlyExpenseTemplateResponse
	fmt.Println(m.RecurrenceType, m.Description, m.BaseAmount, m.RecurrenceConfig.DayOfMonth)

	newCustom := expenses.NewCreateCustomExpenseTemplateDto(
		"Rent", usd, "100.00", "custom", *expenses.NewCustomConfigDto(3, expenses.RECURRENCEUNIT_WEEKS), start,
		method.Id, fixed)
	newCustom.SetBudgetId(budget.Id)
	custom := create(expenses.CreateCustomExpenseTemplateDtoAsCreateExpenseTemplateDto(newCustom))
	twoWeeks := expenses.NewCustomConfigDto(2, expenses.RECURRENCEUNIT_WEEKS)
	twoWeeks.SetDayOfWeek(3)
	c := change(custom.CustomExpenseTemplateResponse.Id, expenses.CustomConfigDtoAsRecurrenceConfigDto(
		twoWeeks)).CustomExpenseTemplateResponse
	fmt.Println(c.RecurrenceType, c.Description, c.BaseAmount, c.RecurrenceConfig.Interval)

	cycle := must(client.CyclesAPI.CreateCycle(ctx).CreateCycleDto(
		*expenses.NewCreateCycleDto("Spring", "2026-03-02", "2026-04-12", "5000.00")).Execute())
	list := must(client.CycleExpensesAPI.ListExpenses(ctx, cycle.Id).Execute())
	first, second := list.Expenses[0], list.Expenses[1]
	pay := func(id string, tag string) *expenses.ExpenseResponse {
		paid := expenses.NewUpdateExpenseDto()
		paid.SetPaid(true)
		return must(client.CycleExpensesAPI.UpdateExpense(ctx, cycle.Id, id).UpdateExpenseDto(*paid).IfMatch(tag).Execute())
	}
	_, response, err := client.CycleExpensesAPI.GetExpense(ctx, cycle.Id, first.Id).Execute()
	if err != nil {
		panic(err)
	}
	fmt.Println("tag", pay(first.Id, response.Header.Get("ETag")).Status)
	updatedAt := second.UpdatedAt.Format(time.RFC3339Nano)
	fmt.Println("updated_at", pay(second.Id, `"`+updatedAt+`"`).Status)

	for _, one := range must(client.ReportsAPI.GetCycleSummary(ctx, cycle.Id).Execute()).ByBudget {
		fmt.Println("budget", one.Budget.Get().Name, *one.Limit.Get(), int(one.ExpenseCount) == len(list.Expenses))
	}

	for _, one := range must(client.ChangesAPI.ListChanges(ctx).Execute()).Changes {
		change := one.CycleExpenseChangeResponse
		if change != nil && change.EntityId == second.Id {
			fmt.Println("change", change.EntityType, change.Deleted, change.Representation.Get().Status)
		}
	}

	records := must(client.ActivityAndCommentsAPI.ListActivity(ctx).
		EntityType(expenses.ENTITYTYPE_CYCLE_EXPENSE).EntityId(second.Id).Limit(1).Execute())
	undone := must(client.ActivityAndCommentsAPI.UndoActivity(ctx, records[0].Id).Execute()).CycleExpenseUndoResponse
	fmt.Println("undone", undone.EntityType, undone.Representation.Get().Status)
}
