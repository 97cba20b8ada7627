import '@mantine/core/styles.css';
import '@mantine/notifications/styles.css';
import './app/styles/document.css';
import './app/styles/shell.css';
import './app/styles/panels.css';
import './app/styles/data-table.css';
import './app/styles/row-actions.css';
import './app/styles/narrow-tables.css';
import './app/styles/snippets.css';
import './app/styles/lists.css';
import './app/styles/details.css';
import './app/styles/first-run.css';
import './app/styles/start.css';

import { i18n } from '@lingui/core';
import { I18nProvider } from '@lingui/react';
import { MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { createRoot } from 'react-dom/client';
import { RouterProvider } from 'react-router';

import { queryClient } from './api/query-client';
import { router } from './app/router';
import { showLoadFailure } from './app/show-load-failure';
import { styleNonce } from './app/style-nonce';
import { makeTheme, readableColours } from './app/theme';
import { loadTexts } from './texts/load-texts';

const root = document.getElementById('root');
if (!root) throw new Error('The page has no root');

const start = () =>
  createRoot(root).render(
    <I18nProvider i18n={i18n}>
      <MantineProvider
        theme={makeTheme()}
        cssVariablesResolver={readableColours}
        defaultColorScheme="auto"
        getStyleNonce={() => styleNonce}
      >
        <QueryClientProvider client={queryClient}>
          <RouterProvider router={router} />
        </QueryClientProvider>
      </MantineProvider>
    </I18nProvider>,
  );

loadTexts('common').then(start, () => showLoadFailure(root));
