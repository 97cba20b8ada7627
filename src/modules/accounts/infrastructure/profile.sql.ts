/** An SQL expression: the `AccountProfile` of the account as JSON, null if there is no such account. */
export const profileOf = (account: string): string => `(
    SELECT json_build_object('name', owner.name, 'logoUrl', owner.logo_url, 'color', owner.brand_color,
      'asksToTrack', owner.tracking_consent = 'required')
    FROM accounts a JOIN accounts owner ON owner.id = coalesce(a.test_of, a.id) WHERE a.id = ${account})`;
