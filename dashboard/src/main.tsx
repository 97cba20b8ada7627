import '@mantine/core/styles.css';
import '@mantine/notifications/styles.css';
import './app/app.css';

import { MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { createRoot } from 'react-dom/client';
import { RouterProvider } from 'react-router';

import { queryClient } from './api/query-client';
import { router } from './app/router';
import { styleNonce } from './app/style-nonce';
import { readableColours, theme } from './app/theme';

const root = document.getElementById('root');
if (!root) throw new Error('The page has no root');

createRoot(root).render(
  <MantineProvider
    theme={theme}
    cssVariablesResolver={readableColours}
    defaultColorScheme="auto"
    getStyleNonce={() => styleNonce}
  >
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  </MantineProvider>,
);
