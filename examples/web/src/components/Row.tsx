/** A row of a list with amounts, and the button that pays or receives. */
import type { ReactNode } from 'react';
import { Button, Group } from '@mantine/core';
import { IconChevronDown, IconChevronUp } from '@tabler/icons-react';
import type { Currency } from '../api';
import { focusSettle } from '../entries/keys';
import { useLocale } from '../locale';
import { Amount } from './Page';
import type { PanelState } from './Panel';

interface RowProps {
  /** Before the name. */
  mark?: ReactNode;
  isMarked?: boolean | undefined;
  name: ReactNode;
  details: ReactNode;
  /** Shown in its own currency, and in dollars. */
  money: { currency: Currency; amount: string; amount_usd: string };
  /** At the end. */
  children?: ReactNode;
}

export function Row({ mark, isMarked, name, details, money, children }: RowProps) {
  const { usd } = useLocale();
  const inPesos = money.currency === 'MXN';
  return (
    <div className={isMarked ? 'entry marked' : 'entry'} data-row>
      <Group gap="sm" wrap="nowrap">
        {mark}
        <div>
          {name}
          <div className="detail muted">{details}</div>
        </div>
      </Group>
      <span className="num">{inPesos && <Amount {...money} />}</span>
      <span className={inPesos ? 'num muted' : 'num'}>{usd(money.amount_usd)}</span>
      {children || <span />}
    </div>
  );
}

interface SettleButtonProps {
  label: string;
  /** Of what it pays or receives. */
  name: string;
  variant: 'default' | 'filled' | 'subtle';
  disabled?: boolean;
  onPress: () => void;
}

/** Goes on to the next row, which can then be paid with the same key. */
export function SettleButton({ label, name, variant, disabled, onPress }: SettleButtonProps) {
  return (
    <Button
      size="xs"
      variant={variant}
      disabled={disabled ?? false}
      data-settle
      aria-label={`${label} ${name}`}
      onClick={({ currentTarget, detail }) => {
        // The second click of a double click is on the next row, which has moved here.
        if (detail > 1) return;
        focusSettle(currentTarget, 1);
        onPress();
      }}
    >
      {label}
    </Button>
  );
}

interface SplitButtonProps extends Pick<SettleButtonProps, 'name' | 'variant'> {
  /** Left out: there is none. */
  panel: PanelState | undefined;
  /** The button that pays or receives. */
  children: ReactNode;
}

/** Beside a payment with one press that with another amount or on another day. */
export function SplitButton({ panel, name, variant, children }: SplitButtonProps) {
  const { t } = useLocale();
  if (!panel) return children;
  const Icon = panel.isOpen ? IconChevronUp : IconChevronDown;
  return (
    <Button.Group>
      {children}
      <Button
        className="split"
        size="xs"
        px={8}
        variant={variant}
        onClick={panel.toggle}
        aria-label={`${t.cards.otherAmount}: ${name}`}
        aria-expanded={panel.isOpen}
      >
        <Icon size={14} />
      </Button>
    </Button.Group>
  );
}
