import { Area, AreaChart, ReferenceDot, ReferenceLine } from 'recharts';
import { ResponsiveContainer, Tooltip, XAxis, YAxis } from 'recharts';
import { usd, type CashFlow } from './api';

/** The balance at the end of each day, and the first day with the lowest one. */
export function CashFlowChart({ cashFlow: { days, lowest } }: { cashFlow: CashFlow }) {
  const data = days.map((day) => ({ ...day, Balance: Number(day.balance_usd) }));
  const caption = `Lowest balance: ${usd(lowest.balance_usd)} on ${lowest.date}`;
  return (
    <figure>
      <ResponsiveContainer width="100%" height={260}>
        <AreaChart data={data} title={`Balance by day. ${caption}`}>
          <XAxis dataKey="date" minTickGap={40} stroke="currentColor" />
          <YAxis width="auto" stroke="currentColor" tickFormatter={(value) => `$${value}`} />
          <Tooltip
            formatter={(value) => usd(String(value))}
            contentStyle={{ background: 'var(--pico-card-background-color)' }}
          />
          <ReferenceLine y={0} stroke="currentColor" />
          <Area
            dataKey="Balance"
            type="stepAfter"
            stroke="var(--pico-primary)"
            fill="var(--pico-primary-focus)"
            isAnimationActive={false}
          />
          <ReferenceDot
            x={lowest.date}
            y={Number(lowest.balance_usd)}
            r={6}
            fill="var(--pico-del-color)"
            stroke="none"
          />
        </AreaChart>
      </ResponsiveContainer>
      <figcaption>{caption}</figcaption>
    </figure>
  );
}
