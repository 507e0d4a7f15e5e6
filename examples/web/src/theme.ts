import {
  createTheme,
  type CSSVariablesResolver,
  type MantineColorsTuple,
  type MantineThemeOverride,
} from '@mantine/core';

/** From the softest to the darkest; 7 is the accent in light colours, 3 the one in dark colours. */
const accent: MantineColorsTuple = [
  ...(['#e1f1ec', '#c3e2d9', '#8cc4b4', '#4fc3a7', '#34a58b', '#1e8870'] as const),
  ...(['#12765f', '#0b6b58', '#085645', '#16302a'] as const),
];

/** From the text to the page, for Mantine's components in dark colours. */
const dark: MantineColorsTuple = [
  ...(['#e9eeec', '#a5b0ab', '#8b9691', '#6b7772', '#29312e'] as const),
  ...(['#242b29', '#1d2321', '#171c1a', '#111615', '#0f1312'] as const),
];

export const theme: MantineThemeOverride = createTheme({
  colors: { accent, dark },
  primaryColor: 'accent',
  primaryShade: { light: 7, dark: 3 },
  autoContrast: true,
  fontFamily: "'Inter Variable', system-ui, sans-serif",
  fontSizes: { xs: '12px', sm: '14px', md: '14px', lg: '16px', xl: '20px' },
  lineHeights: { sm: '20px', md: '20px' },
  defaultRadius: 8,
  spacing: { xs: '8px', sm: '12px', md: '16px', lg: '24px', xl: '32px' },
  headings: { fontWeight: '600' },
  cursorType: 'pointer',
  components: {
    Button: {
      defaultProps: { fw: 500 },
      vars: (_: unknown, { variant = 'filled' }: { variant?: string }) => ({
        root: variant === 'filled' ? { '--button-color': 'var(--on-accent)' } : {},
      }),
    },
    // A `<header>` in a dialog would count as another one of the page.
    Drawer: {
      defaultProps: { attributes: { header: { role: 'presentation' } } },
      styles: { title: { fontSize: 16, fontWeight: 600 } },
    },
    Modal: { defaultProps: { attributes: { header: { role: 'presentation' } } } },
    SegmentedControl: { defaultProps: { withItemsBorders: false, fw: 500 } },
  },
});

/** Mantine's components in the colours of styles.css. */
export const cssVariables: CSSVariablesResolver = () => {
  const colors = {
    '--mantine-color-body': 'var(--card)',
    '--mantine-color-text': 'var(--text)',
    '--mantine-color-dimmed': 'var(--muted)',
    '--mantine-color-placeholder': 'var(--muted)',
    '--mantine-color-error': 'var(--danger)',
    '--mantine-color-default': 'var(--card)',
    '--mantine-color-default-hover': 'var(--hover)',
    '--mantine-color-default-color': 'var(--text)',
    '--mantine-color-default-border': 'var(--line)',
    '--mantine-primary-color-filled': 'var(--accent)',
    '--mantine-primary-color-filled-hover': 'var(--accent-hover)',
    '--mantine-primary-color-contrast': 'var(--on-accent)',
    '--mantine-color-anchor': 'var(--accent)',
    '--mantine-color-accent-light': 'var(--accent-soft)',
    '--mantine-color-accent-light-color': 'var(--accent)',
    '--mantine-color-red-light': 'var(--danger-soft)',
    '--mantine-color-accent-light-hover': 'var(--accent-soft)',
  };
  return { variables: {}, light: colors, dark: colors };
};
