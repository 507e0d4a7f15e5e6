import '@fontsource-variable/inter/opsz.css';
import '@mantine/core/styles.css';
import '@mantine/dates/styles.css';
import '@mantine/notifications/styles.css';
import './styles.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { MantineProvider } from '@mantine/core';
import { Notifications } from '@mantine/notifications';
import { App } from './App';
import { LocaleProvider } from './locale';
import { cssVariables, theme } from './theme';

const root = document.getElementById('root');
if (!root) throw new Error('The page has no element #root');
createRoot(root).render(
  <StrictMode>
    <MantineProvider theme={theme} cssVariablesResolver={cssVariables} defaultColorScheme="auto">
      <LocaleProvider>
        <Notifications position="bottom-center" limit={1} />
        <App />
      </LocaleProvider>
    </MantineProvider>
  </StrictMode>,
);

if (import.meta.env.PROD) void navigator.serviceWorker?.register('/sw.js');
