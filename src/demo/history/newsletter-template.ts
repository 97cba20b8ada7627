import { button, heading, layout } from './mail-layout.js';

const tile = (number: number): string => `
<td class="half" width="50%" valign="top" style="padding:0 ${number === 1 ? '8px 0 0' : '0 0 8px'}">
<table role="presentation" class="tile" width="100%" cellpadding="0" cellspacing="0" border="0"
 style="background:#f8f2ec;border-radius:8px"><tr>
<td class="text" style="padding:18px 20px;font-size:15px;color:#33261e">
<strong>{{tile${number}.title}}</strong><br>{{tile${number}.text}}<br>
<a class="link" href="{{tile${number}.url}}" style="color:#8a4b1f">{{tile${number}.link}}</a></td>
</tr></table>
</td>`;

const CONTENT = `<p class="muted" style="margin:0 0 8px;font-size:13px;letter-spacing:.06em;color:#6f5f54">{{kicker}}</p>
${heading('{{title}}')}
<p style="margin:0 0 16px">Hello {{#firstName}}{{firstName}}{{/firstName}}{{^firstName}}there{{/firstName}},</p>
<p style="margin:0">{{intro}}</p>
${button('{{action.url}}', '{{action.text}}')}
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="margin:32px 0 0">
<tr>${tile(1)}${tile(2)}
</tr>
</table>`;

export const NEWSLETTER_TEMPLATE = {
  name: 'Newsletter',
  subject: '{{title}}',
  html: layout({
    preview: '{{intro}}',
    content: CONTENT,
    footer:
      'You get this mail because you asked for our newsletter.<br>' +
      '<a class="muted" href="{{unsubscribeUrl}}" style="color:#6f5f54">Unsubscribe</a>',
  }),
  text: `{{title}}

Hello {{#firstName}}{{firstName}}{{/firstName}}{{^firstName}}there{{/firstName}},

{{intro}}

{{action.text}}: {{action.url}}

{{tile1.title}}: {{tile1.text}} {{tile1.url}}
{{tile2.title}}: {{tile2.text}} {{tile2.url}}

Unsubscribe: {{unsubscribeUrl}}`,
};

const SHOP = 'https://shop.northwind.example.com';

interface Link {
  text: string;
  url: string;
}

/** The content of one newsletter: the variables of the template. */
export interface Issue {
  kicker: string;
  title: string;
  intro: string;
  action: Link;
  tile1: Link & { title: string; link: string };
  tile2: Link & { title: string; link: string };
}

/** The newsletters, oldest first; the last one is the sample of the template. */
export const ISSUES: readonly [Issue, Issue, Issue] = [
  {
    kicker: 'NEW IN THE SHOP',
    title: 'Three new coffees from Ethiopia',
    intro: 'Guji, Yirgacheffe and Sidama have arrived: floral, bright, and roasted this week for the first time.',
    action: { text: 'Taste all three', url: `${SHOP}/ethiopia` },
    tile1: {
      title: 'Tasting set',
      text: 'Three bags of 100 g at the price of two.',
      link: 'Get it',
      url: `${SHOP}/set`,
    },
    tile2: {
      title: 'From the farm',
      text: 'How washed coffee is made.',
      link: 'Read on',
      url: `${SHOP}/journal/washed`,
    },
  },
  {
    kicker: 'BREW GUIDE',
    title: 'Better filter coffee in four steps',
    intro:
      'Water just off the boil, 60 g a litre, a slow pour and three minutes: that is nearly all. Here is the rest.',
    action: { text: 'Read the guide', url: `${SHOP}/journal/filter` },
    tile1: { title: 'Grinders', text: 'Five that we use ourselves.', link: 'Compare', url: `${SHOP}/grinders` },
    tile2: { title: 'Workshop', text: 'Two hours at our roastery.', link: 'Book a seat', url: `${SHOP}/workshops` },
  },
  {
    kicker: 'FROM THE ROASTERY',
    title: 'The house blend has changed',
    intro: 'A little lighter, with more cocoa and less smoke. Order by Sunday and we add a small bag of the old one.',
    action: { text: 'Try the new blend', url: `${SHOP}/house-blend` },
    tile1: {
      title: 'Subscriptions',
      text: 'Every two weeks, and free shipping.',
      link: 'Start one',
      url: `${SHOP}/plans`,
    },
    tile2: { title: 'Offices', text: 'Machines and beans for teams.', link: 'Ask us', url: `${SHOP}/offices` },
  },
];
