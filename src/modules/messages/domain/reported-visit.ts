/** An opened message or a followed link, as a link that we signed for the message reports it. */
export interface ReportedVisit {
  id: string;
  messageId: string;
  type: 'opened' | 'clicked';
  occurredAt: Date;
  data: Record<string, unknown>;
}
