import { styleNonce } from '../app/style-nonce';

/** Nothing is fetched, run or sent from within the mail. Its own style sheets carry the page's nonce, or they would be left out. */
const POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; form-action 'none'";

/** A mail's HTML as its reader sees it, save for pictures from elsewhere: a sandbox without scripts, network and links. */
export function MailFrame({ html, title }: { html: string; title: string }) {
  const head = `<meta http-equiv="Content-Security-Policy" content="${POLICY}"><base target="_blank">`;
  const styled = html.replace(/<style\b/gi, `<style nonce="${styleNonce}"`);
  return <iframe title={title} sandbox="" srcDoc={`<!doctype html>${head}${styled}`} className="mail-frame" />;
}
