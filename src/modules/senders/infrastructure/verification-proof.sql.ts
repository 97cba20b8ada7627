/**
 * Whether a link that was mailed through `linkCarrier` entitles to mail that leaves through `carrier`. The operator's
 * relay proves the sender for any relay; SES keeps its own list, and an account's relay proves nothing beyond itself.
 */
export const isProof = (linkCarrier: string, carrier: string): string =>
  `coalesce(${linkCarrier} = ${carrier} OR ${linkCarrier} = 'installation' AND ${carrier} LIKE 'smtp:%', false)`;
