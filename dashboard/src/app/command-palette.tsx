import '@mantine/spotlight/styles.css';

import { createSpotlight, Spotlight } from '@mantine/spotlight';
import { useEffect, useState } from 'react';
import { useNavigate } from 'react-router';

import { LoadError, Loading } from '../components/states';
import { t } from '../texts/text';
import { SECTION_PATHS } from './section-paths';
import { SECTIONS } from './sections';
import { HAS_INBOX } from './service-url';
import { type Found, MIN_SEARCH_LENGTH, useFound } from './use-found';
import { useIsAdmin } from './use-is-admin';

const [store, palette] = createSpotlight();

/** Jumps to a page, or to a message, contact or suppression by its id or address. Loaded on demand. */
export default function CommandPalette({ onClose }: { onClose: () => void }) {
  const navigate = useNavigate();
  const [query, setQuery] = useState('');
  const { found, isSearching, error, retry } = useFound(query.trim());
  useEffect(() => {
    palette.open();
    return palette.close;
  }, []);
  const pages = usePages(query);
  return (
    <Spotlight.Root
      store={store}
      shortcut={null}
      query={query}
      onQueryChange={setQuery}
      onSpotlightClose={onClose}
      scrollable
      centered={false}
      attributes={{ content: { 'aria-label': t('common.search') } }}
      overlayProps={{ blur: 0 }}
      maxHeight="60dvh"
    >
      <Spotlight.Search
        placeholder={t('common.search.placeholder')}
        aria-label={t('common.search')}
        maxLength={200}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && (pages.length > 0 || !isSearching)) openFirst(event.currentTarget);
        }}
      />
      <Spotlight.ActionsList>
        {pages.length > 0 && (
          <Spotlight.ActionsGroup label={t('common.nav.pages')}>
            {pages.map((path) => {
              const { label, icon: Icon } = SECTIONS[path];
              return (
                <Spotlight.Action
                  key={path}
                  label={t(label)}
                  leftSection={<Icon size={18} aria-hidden />}
                  onClick={() => void navigate(`/${path}`)}
                />
              );
            })}
          </Spotlight.ActionsGroup>
        )}
        {found.map(({ label, items }) => (
          <Spotlight.ActionsGroup key={label} label={label}>
            {items.map((item) => (
              <FoundAction key={item.to} item={item} onOpen={() => void navigate(item.to)} />
            ))}
          </Spotlight.ActionsGroup>
        ))}
        {isSearching && <Loading label={t('common.search.loading')} />}
        {error && <LoadError error={error} onRetry={retry} />}
        {!isSearching && !error && pages.length === 0 && found.length === 0 && (
          <Spotlight.Empty>
            {t(query.trim().length < MIN_SEARCH_LENGTH ? 'common.search.tooShort' : 'common.search.none')}
          </Spotlight.Empty>
        )}
      </Spotlight.ActionsList>
    </Spotlight.Root>
  );
}

const FoundAction = ({ item: { title, detail, icon: Icon }, onOpen }: { item: Found; onOpen: () => void }) => (
  <Spotlight.Action label={title} description={detail} leftSection={<Icon size={18} aria-hidden />} onClick={onOpen} />
);

/** Opens the first result if none is selected: results that arrive later are not, so Enter alone would do nothing. */
function openFirst(search: HTMLElement): void {
  const dialog = search.closest('[role=dialog]');
  if (!dialog?.querySelector('[data-selected]'))
    dialog?.querySelector<HTMLElement>('.mantine-Spotlight-action')?.click();
}

/** The pages whose name contains the text. */
function usePages(text: string) {
  const isAdmin = useIsAdmin();
  const wanted = text.trim().toLowerCase();
  return SECTION_PATHS.filter((path) => {
    const { label, isAdminOnly, isDemoOnly } = SECTIONS[path];
    return t(label).toLowerCase().includes(wanted) && (isAdmin || !isAdminOnly) && (HAS_INBOX || !isDemoOnly);
  });
}
