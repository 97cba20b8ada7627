/** What a message said, as it was accepted. */
export interface MessageContent {
  html: string | null;
  text: string | null;
  unsubscribeUrl: string | null;
}
