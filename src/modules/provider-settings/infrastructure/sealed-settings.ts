import { SEALED_FIELDS } from '../../../providers/index.js';

/** The secrets of accounts' settings that are sealed with APP_SECRET. */
export const SEALED_SETTINGS = SEALED_FIELDS.map(({ section, field }) => ({
  table: 'accounts',
  id: 't.id',
  sealed: `t.${section} ->> '${field}'`,
  set: `${section} = jsonb_set(t.${section}, '{${field}}', to_jsonb(v.sealed))`,
}));
