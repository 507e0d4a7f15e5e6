import type { ReactNode } from 'react';
import { Menu } from '@mantine/core';

export interface MenuItem {
  label: string;
  run: () => unknown;
}

/** A menu below the button that opens it. */
export function ItemMenu({ items, children }: { items: MenuItem[]; children: ReactNode }) {
  return (
    <Menu position="bottom-end">
      <Menu.Target>{children}</Menu.Target>
      <Menu.Dropdown>
        {items.map(({ label, run }) => (
          <Menu.Item key={label} onClick={() => void run()}>
            {label}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
