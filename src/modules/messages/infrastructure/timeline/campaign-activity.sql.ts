/** The start of the UTC hour of a time. */
const hourOf = (time: string): string => `date_bin('1 hour', ${time}, '2000-01-01T00:00:00Z')`;

/**
 * Adds the events of campaigns among `rows` to their counts by hour, or with the sign `-` subtracts them. Rows have
 * account_id, campaign_id, occurred_at and type. Like all changes of counts they are merged later: writers do not wait
 * for each other.
 */
export const countCampaignEvents = (rows: string, sign: '' | '-' = ''): string => `
    INSERT INTO campaign_activity_changes (account_id, campaign_id, hour, type, events)
    SELECT account_id, campaign_id, ${hourOf('occurred_at')}, type, ${sign}count(*)
    FROM (${rows}) AS counted WHERE campaign_id IS NOT NULL
    GROUP BY 1, 2, 3, 4`;
