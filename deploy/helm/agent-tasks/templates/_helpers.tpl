{{- define "agent-tasks.name" -}}
{{- if contains .Chart.Name .Release.Name }}{{ .Release.Name | trunc 50 | trimSuffix "-" }}{{ else }}{{ printf "%s-%s" .Release.Name .Chart.Name | trunc 50 | trimSuffix "-" }}{{ end }}
{{- end }}

{{- /* What a selector matches. Takes the root and the name of a process. */}}
{{- define "agent-tasks.selector" -}}
app.kubernetes.io/name: {{ .root.Chart.Name }}
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .process }}
{{- end }}

{{- define "agent-tasks.labels" -}}
{{ include "agent-tasks.selector" . }}
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .root.Chart.Name .root.Chart.Version }}
{{- end }}

{{- define "agent-tasks.image" -}}
{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end }}

{{- /* Variables that every process has, and the setup of Temporal too. */}}
{{- define "agent-tasks.temporal" -}}
- { name: NODE_ENV, value: production }
- { name: TEMPORAL_ADDRESS, value: {{ .Values.temporal.address | quote }} }
- { name: TEMPORAL_NAMESPACE, value: {{ .Values.temporal.namespace | quote }} }
{{- with .Values.temporal.tls }}
{{- if .secretName }}
- { name: TEMPORAL_TLS_CLIENT_CERT_PATH, value: /etc/temporal-tls/tls.crt }
- { name: TEMPORAL_TLS_CLIENT_KEY_PATH, value: /etc/temporal-tls/tls.key }
{{- if .hasServerCa }}
- { name: TEMPORAL_TLS_SERVER_CA_CERT_PATH, value: /etc/temporal-tls/ca.crt }
{{- end }}
{{- end }}
{{- end }}
{{- end }}

{{- /* Who runs a container, and what it may not do. The image's user is 1000. */}}
{{- define "agent-tasks.podSecurity" -}}
automountServiceAccountToken: false
securityContext:
  runAsNonRoot: true
  runAsUser: 1000
  runAsGroup: 1000
  fsGroup: 1000
  seccompProfile: { type: RuntimeDefault }
{{- with .Values.imagePullSecrets }}
imagePullSecrets:
{{- range . }}
  - { name: {{ . | quote }} }
{{- end }}
{{- end }}
{{- with .Values.nodeSelector }}
nodeSelector: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.tolerations }}
tolerations: {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}

{{- define "agent-tasks.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities: { drop: [ALL] }
{{- end }}

{{- define "agent-tasks.volumes" -}}
- name: cache
  emptyDir: {}
- name: temporary
  emptyDir: {}
{{- with .Values.temporal.tls.secretName }}
- name: temporal-tls
  secret: { secretName: {{ . | quote }}, defaultMode: 0440 }
{{- end }}
{{- with .Values.volumes }}
{{ toYaml . }}
{{- end }}
{{- end }}

{{- define "agent-tasks.volumeMounts" -}}
- { name: cache, mountPath: /app/.cache }
- { name: temporary, mountPath: /tmp }
{{- if .Values.temporal.tls.secretName }}
- { name: temporal-tls, mountPath: /etc/temporal-tls, readOnly: true }
{{- end }}
{{- with .Values.volumeMounts }}
{{ toYaml . }}
{{- end }}
{{- end }}

{{- /* A deployment and its disruption budget. Takes the root, the name of the process, its values, ports and probes. */}}
{{- define "agent-tasks.process" -}}
{{- $root := .root -}}
{{- $name := printf "%s-%s" (include "agent-tasks.name" .root) .process -}}
apiVersion: apps/v1
kind: Deployment
metadata:
  name: {{ $name }}
  labels: {{- include "agent-tasks.labels" . | nindent 4 }}
spec:
  replicas: {{ .values.replicas }}
  selector:
    matchLabels: {{- include "agent-tasks.selector" . | nindent 6 }}
  strategy:
    rollingUpdate: { maxUnavailable: 0, maxSurge: 1 }
  template:
    metadata:
      labels: {{- include "agent-tasks.labels" . | nindent 8 }}
      {{- with $root.Values.podAnnotations }}
      annotations: {{- toYaml . | nindent 8 }}
      {{- end }}
    spec:
      {{- include "agent-tasks.podSecurity" $root | nindent 6 }}
      # 300 s for calls of language models, of a worker, and what everything else may take to end
      terminationGracePeriodSeconds: 340
      topologySpreadConstraints:
        - maxSkew: 1
          topologyKey: kubernetes.io/hostname
          whenUnsatisfiable: ScheduleAnyway
          labelSelector:
            matchLabels: {{- include "agent-tasks.selector" . | nindent 14 }}
      containers:
        - name: {{ .process }}
          image: {{ include "agent-tasks.image" $root | quote }}
          imagePullPolicy: {{ $root.Values.image.pullPolicy }}
          securityContext: {{- include "agent-tasks.containerSecurity" $root | nindent 12 }}
          env:
            {{- include "agent-tasks.temporal" $root | nindent 12 }}
            - { name: ROLE, value: {{ .process }} }
            - { name: PUBLIC_URL, value: {{ $root.Values.publicUrl | quote }} }
            - { name: SITES_DOMAIN, value: {{ $root.Values.sitesDomain | quote }} }
            - { name: PREVIEW_DOMAIN, value: {{ $root.Values.previewDomain | quote }} }
            - { name: PORT, value: '3000' }
            - { name: METRICS_ADDRESS, value: '0.0.0.0:9464' }
            # the service closes its folder to other users, so the folder must be its own, not the volume's
            - { name: DATA_DIR, value: /var/lib/agent-tasks/data }
            {{- range $setting, $value := $root.Values.settings }}
            - { name: {{ $setting }}, value: {{ $value | toString | quote }} }
            {{- end }}
          envFrom:
            - secretRef: { name: {{ $root.Values.secrets.name | quote }} }
            {{- if and (eq .process "worker") $root.Values.secrets.workerName }}
            - secretRef: { name: {{ $root.Values.secrets.workerName | quote }} }
            {{- end }}
          ports: {{- toYaml .ports | nindent 12 }}
          # a first start makes the bundle of workflows and migrates the database
          startupProbe:
            httpGet: {{- toYaml .probes.alive | nindent 14 }}
            periodSeconds: 5
            failureThreshold: 60
          livenessProbe:
            httpGet: {{- toYaml .probes.alive | nindent 14 }}
            periodSeconds: 10
            timeoutSeconds: 5
            failureThreshold: 6
          readinessProbe:
            httpGet: {{- toYaml .probes.ready | nindent 14 }}
            periodSeconds: 5
            timeoutSeconds: 5
          lifecycle:
            # the load balancer stops sending requests a moment after the pod is told to end
            preStop: { exec: { command: [sleep, '5'] } }
          resources: {{- toYaml .values.resources | nindent 12 }}
          volumeMounts:
            - { name: data, mountPath: /var/lib/agent-tasks }
            {{- include "agent-tasks.volumeMounts" $root | nindent 12 }}
      volumes:
        - name: data
          emptyDir: { sizeLimit: {{ $root.Values.dataSize }} }
        {{- include "agent-tasks.volumes" $root | nindent 8 }}
---
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata:
  name: {{ $name }}
  labels: {{- include "agent-tasks.labels" . | nindent 4 }}
spec:
  maxUnavailable: 1
  selector:
    matchLabels: {{- include "agent-tasks.selector" . | nindent 6 }}
{{- end }}
