import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';

import { CommandLine } from '../support/command-line.js';
import { consentsOf, standingOf } from '../support/consents.js';

describe('opt-in-delivery', () => {
  let fixture: CommandLine;

  beforeAll(async () => {
    fixture = await CommandLine.start();
  });
  afterAll(() => fixture.stop());
  beforeEach(() => fixture.openAccount());

  describe('import', () => {
    const person = (email: string, fields: object = {}) => ({
      ...{ email, firstName: null, lastName: null, tags: [], status: 'active' },
      ...fields,
    });
    const unsubscribed = (email: string) => person(email, { status: 'unsubscribed' });
    const ADA = { firstName: 'Ada', lastName: 'Lovelace' };

    it.each([
      [
        'plain',
        '\uFEFFEmail,First Name,Last Name,Company,Tags,Status\na@x.example,Ada,Lovelace,,one;two,active\nb@x.example,,,,,bounced\n',
        [person('a@x.example', { ...ADA, tags: ['one', 'two'] }), unsubscribed('b@x.example')],
      ],
      [
        'sendgrid',
        'EMAIL,FIRST_NAME,LAST_NAME,CONTACT_ID,CREATED_AT\na@x.example,Ada,Lovelace,1,2026-01-01\n',
        [person('a@x.example', ADA)],
      ],
      [
        'sendgrid',
        'status,reason,email,created\n5.1.1,"550 unknown, ""user""",b@x.example,1700000000\n',
        [unsubscribed('b@x.example')],
      ],
      [
        'mailgun',
        'address,code,error,created_at\nb@x.example,550,No such mailbox,"Tue, 07 Jan 2025 19:25:45 UTC"\nc@x.example,452,full,x\n',
        [unsubscribed('b@x.example')],
      ],
      ['mailgun', 'address,tags,created_at\nb@x.example,*,x\n', [unsubscribed('b@x.example')]],
      [
        'postmark',
        'EmailAddress,SuppressionReason,Origin,CreatedAt\nb@x.example,HardBounce,Recipient,2019-12-17T08:58:33-05:00\n',
        [unsubscribed('b@x.example')],
      ],
      [
        'usesend',
        'Email,First Name,Last Name,Subscribed\na@x.example,Ada,Lovelace,Yes\nb@x.example,,,No\n',
        [person('a@x.example', ADA), unsubscribed('b@x.example')],
      ],
      [
        'plunk',
        'email,subscribed,firstName,lastName,plan\na@x.example,true,Ada,Lovelace,pro\nb@x.example,false,,,\n',
        [person('a@x.example', ADA), unsubscribed('b@x.example')],
      ],
      [
        'listmonk',
        'uuid,email,name,attributes,status,created_at,updated_at\n1,a@x.example,Ada Lovelace,"{""a"":1}",enabled,x,x\n2,b@x.example,,{},blocklisted,x,x\n3,c@x.example,,{},disabled,x,x\n',
        [person('a@x.example', ADA), unsubscribed('b@x.example')],
      ],
      [
        'keila',
        'Email,First name,Last name,Data,Status\na@x.example,Ada,Lovelace,,active\nb@x.example,,,"{""a"":1}",unsubscribed\n',
        [person('a@x.example', ADA), unsubscribed('b@x.example')],
      ],
    ])('reads what %s exports', async (preset, content, expected) => {
      const { code, stderr } = await fixture.run([
        'import',
        await fixture.file('export.csv', content),
        '--preset',
        preset,
      ]);
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      expect(await fixture.contacts()).toEqual(expected);
    });

    it.each([
      [
        'mailchimp',
        'Email Address,First Name,Last Name,OPTIN_TIME,OPTIN_IP,CONFIRM_TIME,CONFIRM_IP,UNSUB_TIME,TAGS\n' +
          'a@x.example,Ada,Lovelace,2021-01-01 08:00:00,192.0.2.1,2021-01-02 10:00:00,192.0.2.2,,"""vip"",""trial"""\n' +
          'b@x.example,Bob,,2021-01-01 08:00:00,192.0.2.1,,,2022-01-01 08:00:00,\n',
        { occurredAt: '2021-01-02T10:00:00.000Z', ip: '192.0.2.2', wording: null },
      ],
      [
        'plain',
        'email,consentAt,consentIp,consentWording,consentEvidence\na@x.example,2021-01-02,,"Yes, send me news",\'=1\n',
        { occurredAt: '2021-01-02T00:00:00.000Z', ip: null, wording: { text: 'Yes, send me news' }, evidence: '=1' },
      ],
      ['listmonk', 'email,name,status,created_at\na@x.example,Ada,enabled,2021-01-02\n', null],
      ['sendgrid', 'EMAIL,FIRST_NAME,CREATED_AT\na@x.example,Ada,2021-01-02\n', null],
    ])('records the consents in what %s exports, and no others', async (preset, content, expected) => {
      const args = ['import', await fixture.file('export.csv', content), '--preset', preset];
      expect(await fixture.run(args)).toMatchObject({ code: 0, stderr: '' });
      const granted = await consentsOf(fixture.account, { email: 'a@x.example', action: 'granted' });
      expect(granted).toMatchObject(expected ? [{ source: 'import', actor: { type: 'key' }, ...expected }] : []);
      expect(granted).toHaveLength(expected ? 1 : 0);
    });

    it('unsubscribes those who have left an audience of Mailchimp, and keeps when they had agreed', async () => {
      const content = 'Email Address,OPTIN_TIME,UNSUB_TIME\nb@x.example,2021-01-01 08:00:00,2022-01-01 08:00:00\n';
      const args = ['import', await fixture.file('export.csv', content), '--preset', 'mailchimp'];
      expect(await fixture.run(args)).toMatchObject({ code: 0 });
      expect(await fixture.contacts()).toEqual([unsubscribed('b@x.example')]);
      const history = await consentsOf(fixture.account, { email: 'b@x.example' });
      expect(history.map(({ action }) => action).toSorted()).toEqual(['granted', 'withdrawn']);
      expect(await standingOf(fixture.account, { email: 'b@x.example' })).toBe('withdrawn');
    });

    it('reports rows with a fault by their line, and imports the others', async () => {
      const { body: list } = await fixture.account.asAdmin('post', '/api/lists').send({ name: 'Readers' }).expect(201);
      const rows =
        'email,firstName\na@x.example,Ada\n\nnobody,\n,Nameless\n"b@x.example","Two\nlines"\nc@x.example,Cleo\n';
      const args = ['import', '-', '--list', list.id, '--tag', 'moved', '--json'];
      const { code, stdout, stderr } = await fixture.run(args, { stdin: rows });
      expect(code).toBe(1);
      expect(stderr.split('\n').sort()).toEqual([
        '',
        'line 4: email must be an email address',
        'line 5: There is no address',
        expect.stringContaining('line 7: firstName'),
      ]);
      expect(JSON.parse(stdout)).toEqual({
        ...{ rows: 5, active: 4, unsubscribed: 0, skipped: 0, created: 2, updated: 0, unchanged: 0, errors: 3 },
        ignoredColumns: { count: 0, names: [] },
      });
      const { items } = (await fixture.read(`/api/contacts?listId=${list.id}`)) as { items: { tags: string[] }[] };
      expect(items.map(({ tags }) => tags)).toEqual([['moved'], ['moved']]);
    });

    it.each([
      ['plunk', 'id,email,name,subscribed\n1,a@x.example,Lovelace, Ada,false\n', 'line 2: has 5 cells, the header 4'],
      ['plunk', 'id,email,name,subscribed\n1,a@x.example\n', 'line 2: has 2 cells, the header 4'],
      ['plunk', 'email,subscribed\na@x.example,\n', 'line 2: "" is not a status'],
      ['usesend', 'email,subscribed\na@x.example,never\n', 'line 2: "never" is not a status'],
      ['listmonk', 'email,name,status\na@x.example,Ada,Ada\n', 'line 2: "Ada" is not a status'],
      ['keila', 'Email,Data,Status\na@x.example,,\n', 'line 2: "" is not a status'],
      ['plain', 'email,status\na@x.example,\n', 'line 2: "" is not a status'],
      ['plain', 'email,status\na@x.example,\u001b]0;x\u0007\u202e\n', 'line 2: " ]0;x  " is not a status'],
    ])('makes nobody active whose row of %s is in doubt: %j', async (preset, rows, message) => {
      const { code, stderr } = await fixture.run(['import', '-', '--preset', preset], { stdin: rows });
      expect({ code, stderr }).toEqual({ code: 1, stderr: `${message}\n` });
      expect(await fixture.contacts()).toEqual([]);
    });

    it('reads what this service exports', async () => {
      const contact = { email: '+a@x.example', firstName: '=Ada', lastName: '-Lovelace' };
      await fixture.service.request('post', '/api/contacts').set('X-API-Key', fixture.secret).send(contact).expect(201);
      const { text } = await fixture.service
        .request('get', '/api/contacts/export.csv')
        .set('X-API-Key', fixture.secret)
        .expect(200);
      expect(text).toContain("'=Ada");
      const { code, stdout } = await fixture.run(['import', '-', '--json'], { stdin: text });
      expect(code).toBe(0);
      expect(JSON.parse(stdout)).toMatchObject({ rows: 1, unchanged: 1 });
    });

    it('shows what it would do', async () => {
      const rows = 'email,subscribed\na@x.example,true\nb@x.example,false\n';
      const { code, stdout } = await fixture.run(['import', '-', '--preset', 'plunk', '--dry-run'], { stdin: rows });
      expect({ code, stdout }).toEqual({
        code: 0,
        stdout:
          '2 rows: 1 contacts, 1 unsubscribed, 0 skipped, 0 refused\n' +
          'Nothing was imported (--dry-run); otherwise 2 created, 0 updated, 0 unchanged\n',
      });
      expect(await fixture.contacts()).toEqual([]);
    });

    it('finds in a dry run what the import would refuse', async () => {
      const rows = `email,firstName\na@x.example,${'x'.repeat(201)}\nnobody,\nb@x.example,\n`;
      const dry = await fixture.run(['import', '-', '--dry-run'], { stdin: rows });
      expect(await fixture.contacts()).toEqual([]);
      const real = await fixture.run(['import', '-'], { stdin: rows });
      expect([dry.code, dry.stderr]).toEqual([real.code, real.stderr]);
      expect(real.stderr).toContain('line 3: email must be an email address');
      expect(dry.stdout).toContain('otherwise 1 created');
      const unknown = ['import', '-', '--list', 'c000000000000000000000000', '--dry-run'];
      expect(await fixture.run(unknown, { stdin: rows })).toMatchObject({ code: 1 });
    });

    it('imports attributes, and names what it leaves out', async () => {
      const rows =
        'email,attributes.city,attributes.Vip_2,City,attributes.a.b\na@x.example,Bern,true,x,y\nb@x.example,,,x,y\n';
      const { code, stdout } = await fixture.run(['import', '-'], { stdin: rows });
      expect({ code, stdout }).toEqual({
        code: 0,
        stdout:
          '2 rows: 2 contacts, 0 unsubscribed, 0 skipped, 0 refused\n2 columns not imported: City, attributes.a.b\n' +
          '2 created, 0 updated, 0 unchanged\n',
      });
      const { items } = (await fixture.read('/api/contacts')) as { items: { attributes: object }[] };
      const attributes = items.map((contact) => contact.attributes);
      expect(attributes).toHaveLength(2);
      expect(attributes).toEqual(expect.arrayContaining([{}, { city: 'Bern', Vip_2: true }]));
    });

    it.each([
      ['listmonk', 'uuid,email,attributes,status', 'attributes', 'enabled'],
      ['keila', 'Segment,Email,Data,Status', 'Data', 'active'],
    ])(
      'imports the attributes of %s, and names those that no contact can have',
      async (preset, header, column, active) => {
        const attributes = JSON.stringify({ city: 'Bern', n: 1.5, ok: true, list: [1], 'no key': 1, none: null });
        const cell = `"${attributes.replaceAll('"', '""')}"`;
        const rows = `${header}\n1,a@x.example,${cell},${active}\n2,b@x.example,[],${active}\n`;
        const args = ['import', '-', '--preset', preset, '--json'];
        const { code, stdout, stderr } = await fixture.run(args, { stdin: rows });
        expect({ code, stderr }).toEqual({ code: 1, stderr: `line 3: ${column} is not a JSON object\n` });
        expect(JSON.parse(stdout).ignoredColumns).toEqual({
          count: 3,
          names: [header.split(',')[0], 'attributes.list', 'attributes.no key'],
        });
        const { items } = (await fixture.read('/api/contacts')) as { items: { attributes: object }[] };
        expect(items.map((item) => item.attributes)).toEqual([{ city: 'Bern', n: 1.5, ok: true }]);
      },
    );

    it.each([
      ['listmonk', 'email,attributes,status', 'blocklisted'],
      ['keila', 'email,data,status', 'unsubscribed'],
    ])('stores an opt-out in what %s exports, whatever the attributes are', async (preset, header, status) => {
      const large = `{""a"":""${'x'.repeat(5_000)}""}`;
      const rows = `${header}\na@x.example,"${large}",${status}\nb@x.example,[],${status}\n`;
      const { code, stderr } = await fixture.run(['import', '-', '--preset', preset], { stdin: rows });
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      expect(await fixture.contacts()).toEqual([unsubscribed('a@x.example'), unsubscribed('b@x.example')]);
    });

    it('imports a file of many batches', async () => {
      const rows = Array.from({ length: 1_201 }, (_, i) => `r${i}@x.example`).join('\n');
      const { code, stdout } = await fixture.run(['import', '-', '--json'], { stdin: `email\n${rows}\n` });
      expect(code).toBe(0);
      expect(JSON.parse(stdout)).toMatchObject({ rows: 1_201, created: 1_201 });
      expect(await fixture.read('/api/contacts?limit=1')).toMatchObject({ total: 1_201 });
    });

    it.each([
      ['sendgrid', 'EMAIL,CITY\na@x.example,London\n', 'There is no column email and firstname or'],
      ['postmark', 'email2\nx\n', 'There is no column emailaddress or email'],
      ['plain', 'email\n"a@x.example\n', 'Quote Not Closed'],
    ])('refuses a file that is not of %s: %j', async (preset, stdin, message) => {
      const { code, stderr } = await fixture.run(['import', '-', '--preset', preset], { stdin });
      expect(code).toBe(2);
      expect(stderr).toContain(message);
    });
  });
});
