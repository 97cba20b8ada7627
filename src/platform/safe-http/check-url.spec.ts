import { describe, expect, it } from '@jest/globals';

import { urlFault } from './check-url.js';

const ADDRESS =
  'must not point to a private, loopback or otherwise reserved address unless the operator sets WEBHOOK_ALLOW_PRIVATE_NETWORKS=true';
const open = { httpsOnly: false, allowPrivate: false };

describe('urlFault', () => {
  it.each([
    'https://hooks.example.com/in?x=1',
    'http://hooks.example.com:8080',
    'https://8.8.8.8/',
    'https://[2606:4700:4700::1111]/',
    'HTTPS://Example.com./',
    'https://localhost.example.com/',
    'https://bücher.example/',
    'https://example.com/a@b',
  ])('accepts %s', (url) => {
    expect(urlFault(url, open)).toBeNull();
  });

  it.each([
    'http://127.0.0.1/',
    'http://0x7f.1/',
    'http://0x7f000001/',
    'http://2130706433/',
    'http://017700000001/',
    'http://127.1/',
    'http://127.0.0.1./',
    'http://%31%32%37.0.0.1/',
    'http://127。0。0。1/',
    'http://①②⑦.0.0.1/',
    'http://0/',
    'http://[::1]/',
    'http://[::]/',
    'http://[::ffff:127.0.0.1]/',
    'http://[::ffff:7f00:1]/',
    'http://[0:0:0:0:0:ffff:7f00:1]/',
    'http://[64:ff9b::169.254.169.254]/',
    'http://[64:ff9b:1::10.0.0.1]/',
    'http://[2002:7f00:1::]/',
    'http://169.254.169.254/latest/meta-data/',
    'http://[fd00:ec2::254]/',
    'http://100.64.0.1/',
    'http://10.0.0.1/',
    'http://localhost/',
    'http://LOCALHOST:3000/',
    'http://localhost./',
    'http://a.localhost/',
  ])('refuses %s, unless private networks are allowed', (url) => {
    expect(urlFault(url, open)).toBe(ADDRESS);
    expect(urlFault(url, { ...open, allowPrivate: true })).toBeNull();
  });

  it.each([
    '',
    'hooks.example.com',
    '//hooks.example.com/',
    'ftp://example.com/',
    'file:///etc/passwd',
    'gopher://example.com/',
    'unix:/var/run/docker.sock',
    'data:,x',
    'javascript:alert(1)',
    'http:example.com',
    'http:/example.com',
    'http://',
    'http://a b/',
    ' http://example.com/',
    'http://example.com/\r\nX-Evil: 1',
    'http://exam\tple.com/',
    'http:\\\\example.com\\',
    'http://example.com\\@127.0.0.1/',
    'http://[fe80::1%25eth0]/',
    'http://1.2.3.256/',
    'http://example.com:99999/',
  ])('refuses %j, which is not an HTTP URL', (url) => {
    expect(urlFault(url, { ...open, allowPrivate: true })).toBe('must be an http or https URL');
  });

  it.each([
    'https://user:password@example.com/',
    'https://user@example.com/',
    'https://:secret@example.com/',
    'https://@example.com/',
    'https://:@example.com',
  ])('refuses %s', (url) => {
    expect(urlFault(url, open)).toBe('must not contain credentials');
  });

  it('requires https if configured', () => {
    const rules = { httpsOnly: true, allowPrivate: true };
    expect(urlFault('http://example.com/', rules)).toBe('must be an https URL');
    expect(urlFault('https://127.0.0.1/', rules)).toBeNull();
  });

  it('refuses URLs above the maximum length', () => {
    expect(urlFault(`https://example.com/${'a'.repeat(2_028)}`, open)).toBeNull();
    expect(urlFault(`https://example.com/${'a'.repeat(2_029)}`, open)).toBe('must have at most 2048 characters');
  });
});
