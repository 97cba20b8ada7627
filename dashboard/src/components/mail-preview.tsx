import './mail-preview.css';

import { Group, SegmentedControl, Switch, Text } from '@mantine/core';
import { useElementSize } from '@mantine/hooks';
import { useMemo, useState } from 'react';

import { styleNonce } from '../app/style-nonce';
import { t } from '../texts/text';
import { countRemoteImages, type MailImages } from './inert-mail';
import { MailFrame } from './mail-frame';

const MOBILE_WIDTH = 375;
const MIN_DESKTOP_WIDTH = 720;
const HEIGHT = 576;
/** A narrower preview starts with the width of a phone. */
const SMALL = 480;

const NO_IMAGES: MailImages = new Map();

interface Props {
  html: string;
  title: string;
  hasImages: boolean;
  onChangeImages: (hasImages: boolean) => void;
  /** The attached images that the HTML refers to, once they are loaded. */
  inlineImages?: ReadonlyMap<string, string>;
}

/** A mail as on a desktop or a phone, in light or dark mode, scaled down to fit. Remote images are never loaded. */
export default function MailPreview({ html, title, hasImages, onChangeImages, inlineImages }: Props) {
  const [chosenWidth, setWidth] = useState<string | null>(null);
  const [isDark, setDark] = useState(false);
  const { ref, width: available } = useElementSize();
  const remoteImages = useMemo(() => countRemoteImages(html, styleNonce), [html]);
  const width = chosenWidth ?? (available > 0 && available < SMALL ? 'mobile' : 'desktop');
  const frameWidth = width === 'mobile' ? MOBILE_WIDTH : Math.max(MIN_DESKTOP_WIDTH, available);
  const scale = available === 0 ? 1 : Math.min(1, available / frameWidth);
  return (
    <>
      <Group className="mail-bar" gap="md">
        <SegmentedControl
          size="xs"
          aria-label={t('common.preview.width')}
          value={width}
          onChange={setWidth}
          data={[
            { value: 'desktop', label: t('common.preview.desktop') },
            { value: 'mobile', label: t('common.preview.mobile') },
          ]}
        />
        <Switch
          size="sm"
          label={t('common.preview.images')}
          checked={hasImages}
          onChange={({ currentTarget }) => onChangeImages(currentTarget.checked)}
        />
        <Switch
          size="sm"
          label={t('common.preview.dark')}
          checked={isDark}
          onChange={({ currentTarget }) => setDark(currentTarget.checked)}
        />
        {hasImages && remoteImages > 0 && (
          <Text size="xs" c="dimmed">
            {t('common.preview.remoteImages', { count: remoteImages })}
          </Text>
        )}
      </Group>
      <div ref={ref} className="mail-stage" data-width={width} data-dark={isDark || undefined}>
        <div style={{ width: frameWidth * scale }}>
          <MailFrame
            html={html}
            title={title}
            colourScheme={isDark ? 'dark' : 'light'}
            images={hasImages ? (inlineImages ?? NO_IMAGES) : null}
            style={{ width: frameWidth, height: HEIGHT / scale, transform: scale < 1 ? `scale(${scale})` : undefined }}
          />
        </div>
      </div>
    </>
  );
}
