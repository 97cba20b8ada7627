/** The signing secrets that are sealed with APP_SECRET. */
export const SEALED_WEBHOOK_SECRETS = ['sealed_secret', 'sealed_previous_secret'].map((column) => ({
  table: 'webhook_endpoints',
  id: 't.id',
  sealed: `t.${column}`,
  set: `${column} = v.sealed`,
}));
