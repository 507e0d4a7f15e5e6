import { useState } from 'react';
import { Anchor, Box, Button, SegmentedControl, Table } from '@mantine/core';
import { addDays } from 'expense-service-client';
import { queries, useMe, useQuery } from '../api';
import { FormDrawer } from '../components/forms';
import { Amount, Card, Loaded, Nothing } from '../components/Page';
import { useLocale } from '../locale';
import { useWrite } from '../write';
import classes from './planning.module.css';
import { ruleText } from './rules';
import { TemplateForm } from './TemplateForm';
import { isExpense, updateTemplate, type Template, type TemplateKind } from './templates';

const DAYS_AHEAD = 400;

export function Recurring() {
  const { t } = useLocale();
  const texts = t.planning.recurring;
  const [shown, setShown] = useState('active');
  return (
    <>
      <div className="page-head">
        <h1>{texts.title}</h1>
        <SegmentedControl
          className="end"
          aria-label={texts.show}
          data={['active', 'inactive'].map((value, i) => ({ value, label: texts.shown[i] }))}
          value={shown}
          onChange={setShown}
        />
      </div>
      <Templates kind="income" active={shown === 'active'} />
      <Templates kind="expense" active={shown === 'active'} />
    </>
  );
}

function Templates({ kind, active }: { kind: TemplateKind; active: boolean }) {
  const { t } = useLocale();
  const texts = t.planning.recurring;
  const { title, add, first, why } = texts[kind];
  const path = kind === 'income' ? '/income-templates' : '/expense-templates';
  const state = useQuery(queries.query(path, { params: { query: { active } } }));
  const [edited, setEdited] = useState<Template | 'new'>();
  const addButton = (
    <Button variant="default" onClick={() => setEdited('new')}>
      {add}
    </Button>
  );
  return (
    <Loaded state={state}>
      {(templates: readonly Template[]) => (
        <Card
          title={title}
          end={active && templates.length > 0 && addButton}
          flush={templates.length === 0}
        >
          {templates.length > 0 ? (
            <TemplateTable templates={templates} onEdit={setEdited} />
          ) : active ? (
            <Nothing title={first} text={why} action={addButton} />
          ) : (
            <Nothing title={texts.noneInactive} />
          )}
          <FormDrawer
            title={edited === 'new' ? t.add[kind] : edited?.description}
            opened={edited !== undefined}
            onClose={() => setEdited(undefined)}
          >
            <TemplateForm
              kind={kind}
              template={
                edited === 'new'
                  ? undefined
                  : (templates.find((each) => each.id === edited?.id) ?? edited)
              }
              onDone={() => setEdited(undefined)}
            />
          </FormDrawer>
        </Card>
      )}
    </Loaded>
  );
}

interface TemplateTableProps {
  templates: readonly Template[];
  onEdit: (template: Template) => void;
}

function TemplateTable({ templates, onEdit }: TemplateTableProps) {
  const locale = useLocale();
  const { t, day } = locale;
  const { data: me } = useMe();
  const query = { include: ['entries' as const], to: me && addDays(me.today, DAYS_AHEAD) };
  const { data: forecast } = useQuery(queries.query('/forecast', { params: { query } }));
  const nextDay = ({ id }: Template) =>
    forecast?.entries?.find(
      ({ template_id, entry_date }) => template_id === id && entry_date >= forecast.today,
    )?.entry_date;
  const rows = templates.map((template) => ({
    template,
    next: template.active && nextDay(template),
  }));
  return (
    <Table verticalSpacing="xs" horizontalSpacing={0} className={classes.table}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{t.fields.description}</Table.Th>
          <Table.Th visibleFrom="sm">{t.fields.paymentMethod}</Table.Th>
          <Table.Th visibleFrom="sm">{t.fields.budget}</Table.Th>
          <Table.Th visibleFrom="sm">{t.planning.recurring.next}</Table.Th>
          <Table.Th className="num">{t.fields.amount}</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {rows.map(({ template, next }) => (
          <Table.Tr key={template.id}>
            <Table.Td>
              <Anchor
                component="button"
                c="var(--text)"
                ta="left"
                fw={500}
                onClick={() => onEdit(template)}
              >
                {template.description}
              </Anchor>
              <div className="detail muted">
                {ruleText(template, locale)}
                {next && <Box hiddenFrom="sm">{t.planning.recurring.nextOn(day(next))}</Box>}
              </div>
            </Table.Td>
            <Table.Td visibleFrom="sm">{template.payment_method?.name}</Table.Td>
            <Table.Td visibleFrom="sm">{isExpense(template) && template.budget?.name}</Table.Td>
            <Table.Td visibleFrom="sm">{next && day(next)}</Table.Td>
            <Table.Td className="num">
              <Amount amount={template.base_amount} currency={template.currency} />
              <Suggestion template={template} />
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}

/** The amount that the entries of a template usually have, if it is another one. */
function Suggestion({ template }: { template: Template }) {
  const { t, money } = useLocale();
  const texts = t.planning.recurring;
  const { write, isSaving } = useWrite();
  const { data } = useQuery(queries.query('/reports/variance'));
  const found = data?.templates.find((each) => each.template.id === template.id)?.suggestion;
  if (!found) return null;
  const name = template.description;
  const amount = money(found.amount, template.currency);
  const send = () => updateTemplate(template, { base_amount: found.amount });
  return (
    <div className="detail muted">
      {texts.usually(amount)}{' '}
      <Anchor
        component="button"
        fz="xs"
        disabled={isSaving}
        aria-label={texts.useFor(name, amount)}
        onClick={() => void write({ name, done: t.done.saved(name), send })}
      >
        {texts.use}
      </Anchor>
    </div>
  );
}
